import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, readdirSync, readlinkSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
// @ts-expect-error: a script without types
import { binaries } from '../runtime/binaries.mjs'
import { makeFolder, SECRET } from './folder.ts'

const app = fileURLToPath(new URL('./app/', import.meta.url))
const large = new Uint8Array(5_000_000).map((_, at) => at % 251)
const folder = makeFolder({
  'index.html': '<h1>home</h1>',
  'a.txt': '0123456789',
  'docs/index.html': 'docs',
  'app.js': 'plain',
  'app.js.br': brotliCompressSync('packed'),
  'large.bin': large,
})
folder.link('out.txt', '../secret.txt')
folder.link('up', '..')
afterAll(folder.remove)

const ask = (
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage & { readonly content: Buffer }> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve(Object.assign(response, { content: Buffer.concat(chunks) })))
      response.on('error', reject)
    })
    request.on('error', reject)
  })

/** A child and the port that it tells, as `port 1234` or as workerd's control line does. */
const start = (command: readonly string[], output: 1 | 3): Promise<[ChildProcess, number]> =>
  new Promise((resolve, reject) => {
    const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
    let told = ''
    child.stdio[output]!.on('data', (text) => {
      told += text
      const port = /port"?[: ](\d+)/.exec(told)?.[1]
      if (port) resolve([child, Number(port)])
    })
    child.once('exit', (code) => reject(new Error(`${command[0]} ended with ${code}`)))
  })

const stopped = (child: ChildProcess): Promise<unknown> => {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  return gone
}

const bundle = (entry: string, condition: string, outfile: string) =>
  build({
    entryPoints: [join(app, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: condition === 'workerd' ? 'neutral' : 'node',
    mainFields: ['module', 'main'],
    conditions: ['sluice-source', condition],
    external: ['node:*'],
    logLevel: 'error',
  })

describe.each(['node20', 'node24', 'bun', 'deno'])('MX15: real files on %s', (name) => {
  let child: ChildProcess
  let port = 0
  beforeAll(async () => {
    const file = join(folder.around, `${name}.mjs`)
    await bundle('server.ts', name.replace(/\d+/, ''), file)
    ;[child, port] = await start([...binaries()[name], file, folder.root], 1)
  })
  afterAll(() => stopped(child))

  test.each<[string, Record<string, string>, number, string]>([
    ['/', {}, 200, '<h1>home</h1>'],
    ['/a.txt', {}, 200, '0123456789'],
    ['/a.txt', { range: 'bytes=2-3' }, 206, '23'],
    ['/a.txt', { range: 'bytes=10-' }, 416, '{"error":"Range Not Satisfiable"}'],
    ['/a.txt', { 'if-none-match': '*' }, 304, ''],
    ['/docs', {}, 308, ''],
    ['/none', {}, 404, '{"error":"Not Found"}'],
    ['/none', { accept: 'text/html' }, 200, '<h1>home</h1>'],
    ['/out.txt', {}, 404, '{"error":"Not Found"}'],
    ['/up/secret.txt', {}, 404, '{"error":"Not Found"}'],
    ['/..%2fsecret.txt', {}, 404, '{"error":"Not Found"}'],
    [`/${'n'.repeat(300)}`, {}, 404, '{"error":"Not Found"}'],
    ['/a.txt/x', {}, 404, '{"error":"Not Found"}'],
    ['/a.txt%00', {}, 404, '{"error":"Not Found"}'],
  ])('%s %j is a %i', async (path, headers, status, body) => {
    const response = await ask(port, path, headers)
    expect({ status: response.statusCode, body: response.content.toString() }).toEqual({ status, body })
    expect(response.content.toString()).not.toContain(SECRET)
  })

  test('a large file, a part of it, and several parts are its bytes', async () => {
    const whole = await ask(port, '/large.bin')
    expect(whole.content.equals(large)).toBe(true)
    expect(whole.headers['content-length']).toBe('5000000')
    const part = await ask(port, '/large.bin', { range: 'bytes=1000-4999998' })
    expect({ statusCode: part.statusCode, 'content-range': part.headers['content-range'] }).toEqual({
      statusCode: 206,
      'content-range': 'bytes 1000-4999998/5000000',
    })
    expect(part.content.equals(large.subarray(1000, 4_999_999))).toBe(true)
    const several = await ask(port, '/large.bin', { range: 'bytes=0-0,200000-4999999' })
    expect(several.content.includes(Buffer.from(large.subarray(200_000, 5_000_000)))).toBe(true)
    // Bun sends streams of ours in chunks, whatever length they have
    if (name !== 'bun') expect(several.headers['content-length']).toBe(`${several.content.byteLength}`)
  })

  test('HEAD tells the length', async () => {
    const { statusCode, headers, content } = await ask(port, '/large.bin', {}, 'HEAD')
    expect({ statusCode, 'content-length': headers['content-length'], byteLength: content.byteLength }).toEqual({
      statusCode: 200,
      'content-length': '5000000',
      byteLength: 0,
    })
  })

  test('a compressed copy is sent as it is', async () => {
    const response = await ask(port, '/app.js', { 'accept-encoding': 'br' })
    expect(response.headers['content-encoding']).toBe('br')
    expect(response.content.equals(brotliCompressSync('packed'))).toBe(true)
  })

  test.runIf(process.platform === 'linux')('files are closed when clients go', async () => {
    const open = (): number =>
      readdirSync(`/proc/${child.pid}/fd`).filter((number) => {
        try {
          return readlinkSync(`/proc/${child.pid}/fd/${number}`).startsWith(folder.root)
        } catch {
          return false
        }
      }).length
    await Promise.all(
      Array.from(
        { length: 10 },
        () =>
          new Promise<void>((resolve) => {
            const request = get({ host: '127.0.0.1', port, path: '/large.bin', agent: false }, (response) => {
              response.once('data', () => {
                request.destroy()
                resolve()
              })
            })
            request.on('error', () => {})
          }),
      ),
    )
    await vi.waitFor(() => expect(open()).toBe(0), 20_000)
  })
})

describe('MX15: the assets of a worker, in workerd', () => {
  let child: ChildProcess
  let port = 0
  beforeAll(async () => {
    await bundle('worker.ts', 'workerd', join(folder.around, 'worker.js'))
    for (const file of ['assets.js', 'config.capnp']) copyFileSync(join(app, file), join(folder.around, file))
    const command = [...binaries().workerd, 'serve', join(folder.around, 'config.capnp'), '--control-fd=3']
    ;[child, port] = await start(command, 3)
  })
  afterAll(() => stopped(child))

  test.each<[string, Record<string, string>, number, string]>([
    ['/', {}, 200, '<h1>home</h1>'],
    ['/about', {}, 200, 'about'],
    ['/a.txt', {}, 200, '0123456789'],
    ['/a.txt', { 'if-none-match': '"one"' }, 304, ''],
    ['/index.html', {}, 307, ''],
    ['/none', {}, 404, '{"error":"Not Found"}'],
    ['/none', { accept: 'text/html' }, 200, '<h1>home</h1>'],
    ['//a.txt', {}, 404, '{"error":"Not Found"}'],
    ['/.env', {}, 404, '{"error":"Not Found"}'],
    ['/%2e%2e%2fa.txt', {}, 404, '{"error":"Not Found"}'],
  ])('%s %j is a %i', async (path, headers, status, body) => {
    const response = await ask(port, path, headers)
    expect({ status: response.statusCode, body: response.content.toString() }).toEqual({ status, body })
    if (path === '/a.txt') expect(response.headers['cache-control']).toBe('public, max-age=60')
  })
})
