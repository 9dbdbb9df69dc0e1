import { expect, test, vi } from 'vitest'
import { afterBody } from '../../src/internal/stream/after-body.ts'

test('a body that is waited for is read only as far as its reader asks', async () => {
  const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1)))
  const done = vi.fn()
  const { body } = afterBody(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })), done)
  await new Promise((resolve) => setTimeout(resolve))
  expect({ pulls: pull.mock.calls.length, done: done.mock.calls.length }).toEqual({ pulls: 0, done: 0 })
  const reader = body!.getReader()
  await reader.read()
  await reader.cancel()
  expect({ pulls: pull.mock.calls.length, done: done.mock.calls.length }).toEqual({ pulls: 1, done: 1 })
})
