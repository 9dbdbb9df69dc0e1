import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How much a stream of the row `stream` holds: 160 blocks of 64 KiB, which are 10 MB. */
export const BLOCKS = 160

/** Clients that listen in the row `sse`. */
export const LISTENERS = 100

const script = (name, body) => {
  const file = join(tmpdir(), `sluice-bench-${process.pid}-${name}.lua`)
  writeFileSync(file, `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = ${body}\n`)
  return file
}

/** The body of a validated POST. */
const USER = `'{"name":"Ann","email":"ann@example.com","age":33}'`

/** The folder of the rows with files. All servers of a run serve the same one. */
export const FILES = join(tmpdir(), 'sluice-bench-files')

const files = (name, size) => () => {
  mkdirSync(FILES, { recursive: true })
  writeFileSync(join(FILES, name), 'x'.repeat(size))
}

/**
 * By name: what it shows, and what the load asks for. `first` is asked for before, and `send` makes a field of the
 * answer that each request then sends. `make` runs before the servers start. `node` is a row for Node alone.
 */
export const rows = {
  text: { title: 'text' },
  json: { title: 'JSON' },
  param: { title: 'parameters and query', path: '/users/42?q=hello' },
  typed: {
    title: 'POST, validated',
    script: () => script('typed', USER),
  },
  post: {
    title: 'POST, `ctx.validate`',
    script: () => script('post', USER),
  },
  guarded: {
    title: 'POST behind helmet + cors',
    script: () => script('guarded', USER),
  },
  headers: { title: 'security headers and CORS' },
  limit: { title: 'the same and rate limit' },
  session: {
    title: 'session read',
    first: '/login',
    send: (headers) => `cookie: ${headers.get('set-cookie').split(';', 1)[0]}`,
  },
  sse: { title: 'events to 100 clients, an event', path: '/publish' },
  large: {
    title: '1 MB JSON in',
    connections: 16,
    script: () =>
      script('large', `'[' .. string.rep('{"id":1,"name":"Ann Example","tags":["a","b"]},', 21000) .. '1]'`),
  },
  stream: { title: '10 MB stream out', connections: 8 },
  file1: { title: 'file of 1 kB', path: '/1.txt', make: files('1.txt', 1_000), node: true },
  file64: { title: 'file of 64 kB', path: '/64.txt', make: files('64.txt', 64_000), node: true },
  unchanged: {
    title: '304 of a file, checked',
    path: '/1.txt',
    make: files('1.txt', 1_000),
    send: (headers) => `if-none-match: ${headers.get('etag')}`,
    node: true,
  },
}
