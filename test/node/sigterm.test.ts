import { spawn } from 'node:child_process'
import { connect as connectHttp2 } from 'node:http2'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { watch } from './child.ts'
import { eventually, open, openTls, type Wire, within } from './wire.ts'

const start = async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const file = fileURLToPath(new URL('fixtures/sigterm.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=sluice-source', file], { cwd: root })
  const { seen, exit } = watch(child)
  await eventually(() => seen.output.includes('\n') || child.exitCode !== null, 'the ports', 30_000)
  const ports: number[] = JSON.parse(seen.output.split('\n')[0]!)
  return { child, seen, exit, ports }
}

/** Clients that hold connections open and never leave by themselves. */
const holdOpen = async ([plain, secure, both]: number[]): Promise<Wire[]> => {
  const held: Wire[] = []
  for (const [port, openTo] of [
    [plain, open],
    [secure, openTls],
    [both, openTls],
  ] as const) {
    for (const bytes of [
      '',
      'GET / HT',
      'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
      'GET /events HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /endless HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nab',
    ]) {
      const wire = await openTo(port!)
      wire.socket.allowHalfOpen = true
      if (bytes.includes('endless')) wire.socket.pause()
      wire.write(bytes)
      held.push(wire)
    }
    held.push(await open(port!))
  }
  held.push(await openTls(both!, 'h2'))
  return held
}

test('SIGTERM under load: no accepted request is lost, and the process is gone whatever clients hold open', async () => {
  const { child, seen, exit, ports } = await start()
  const held = await holdOpen(ports)
  const session = connectHttp2(`https://127.0.0.1:${ports[2]}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  session.request({ ':path': '/events' }).on('error', () => {})
  session.request({ ':path': '/upload', ':method': 'POST' }).on('error', () => {})

  const lost: string[] = []
  let answered = 0
  const client = async (port: number, openTo: (port: number) => Promise<Wire>): Promise<void> => {
    const wire = await openTo(port)
    for (let sent = 1; ; sent++) {
      wire.write(`GET ${sent === 1 ? '/work' : '/'} HTTP/1.1\r\nHost: a\r\n\r\n`)
      const text = await wire
        .until((received) => received.split('HTTP/1.1 200').length - 1 >= sent && received.endsWith('x'))
        .catch(() => 'lost')
      if (text === 'lost') return void lost.push(wire.text().slice(-200))
      answered++
      if (/connection: close/i.test(text)) return wire.end()
    }
  }
  const clients = Array.from({ length: 30 }, (_, index) => client(ports[index % 3]!, index % 3 ? openTls : open))
  await eventually(() => answered > 100 || lost.length > 0, 'load')
  child.kill('SIGTERM')
  await Promise.all(clients)
  expect(await within(30_000, exit, 'the end of the process'), seen.errors).toBe(0)
  expect(lost).toEqual([])
  expect(seen.output).toContain('closed')
  expect(seen.output.split('worked').length - 1, 'work that goes on after the answer').toBe(30)
  expect(seen.errors).not.toMatch(/unhandled|uncaught/i)
  session.destroy()
  for (const wire of held) wire.end()
}, 90_000)
