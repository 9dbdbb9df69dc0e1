import { expect, test } from 'vitest'
import { socketOptions } from '../../src/runtime/bun/upgrades.ts'

test('WS1: a server that listens before a handler is made has every callback that sockets need', () => {
  // No handler was made here: Bun takes the callbacks when it starts to listen, and never again
  expect(
    Object.entries(socketOptions)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name)
      .sort(),
  ).toEqual(['close', 'drain', 'message', 'open', 'ping', 'pong'])
})
