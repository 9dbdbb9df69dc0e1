import { writeFileSync } from 'node:fs'
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

/** By name: what it shows, and what the load asks for. `session` visits `/login` before. */
export const rows = {
  text: { title: 'text' },
  json: { title: 'JSON' },
  param: { title: 'parameters and query', path: '/users/42?q=hello' },
  post: {
    title: 'POST, validated',
    script: () => script('post', `'{"name":"Ann","email":"ann@example.com","age":33}'`),
  },
  headers: { title: 'security headers and CORS' },
  limit: { title: 'the same and rate limit' },
  session: { title: 'session read', login: true },
  sse: { title: 'events to 100 clients, an event', path: '/publish' },
  large: {
    title: '1 MB JSON in',
    connections: 16,
    script: () =>
      script('large', `'[' .. string.rep('{"id":1,"name":"Ann Example","tags":["a","b"]},', 21000) .. '1]'`),
  },
  stream: { title: '10 MB stream out', connections: 8 },
}
