import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { drainSignal } from '../../src/signal.ts'
import { eventually, open, within } from './wire.ts'

const probe = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'

test('OP1: after SIGTERM a keep-alive connection gets 503, and the request in flight finishes', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const file = fileURLToPath(new URL('fixtures/readiness.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=sluice-source', file], { cwd: root })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  await eventually(() => output.includes('\n') || child.exitCode !== null, 'the port', 30_000)
  const port = Number(output.split('\n')[0])

  const kept = await open(port)
  kept.write(probe)
  await kept.until((text) => text.includes('{"status":"ok"'))
  const slow = await open(port)
  slow.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await eventually(() => output.includes('slow'), 'the slow request')

  child.kill('SIGTERM')
  await eventually(() => output.includes('closing'), 'the drain')
  kept.write(probe)
  const told = await kept.until((text) => text.includes('503'))
  expect(told).toMatch(/503 Service Unavailable[\s\S]*connection: close[\s\S]*"code":"draining"/i)
  expect(await slow.until((text) => text.includes('ended well'))).toContain('HTTP/1.1 200')
  expect(await within(30_000, exit, 'the end of the process')).toBe(0)
  expect(output).toContain('closed')
}, 60_000)

test('OP1: one signal for all requests of a server, which has aborted for a request that comes during the drain', async () => {
  const signals: AbortSignal[] = []
  const app = createApp().get('/', (ctx) => {
    signals.push(drainSignal(ctx))
    return ctx.text(`${signals.at(-1)!.aborted}`)
  })
  const { port, close } = await app.listen({ port: 0, hostname: '127.0.0.1' })
  const wire = await open(port!)
  for (const seen of [1, 2]) {
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.until((text) => text.split('false').length > seen)
  }
  expect(signals[0]).toBe(signals[1])
  const closed = close()
  expect(signals[0]!.aborted).toBe(true)
  wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await wire.until((text) => text.includes('true'))
  await closed
})
