import { createServer } from 'node:http'

/** The hand-written server: the same bytes with nothing in between. */
const SECURITY = [
  'content-security-policy',
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
  'strict-transport-security',
  'max-age=31536000; includeSubDomains',
  'x-frame-options',
  'SAMEORIGIN',
  'x-content-type-options',
  'nosniff',
  'x-xss-protection',
  '1; mode=block',
  'referrer-policy',
  'no-referrer',
  'access-control-allow-origin',
  '*',
]

const send = (response, type, body, extra = []) => {
  response.writeHead(200, ['content-type', type, ...extra, 'content-length', Buffer.byteLength(body)])
  response.end(body)
}

const hits = new Map()

const cases = {
  text: (_, response) => send(response, 'text/plain; charset=utf-8', 'hello world'),
  json: (_, response) => send(response, 'application/json', JSON.stringify({ message: 'hello', ok: true, n: 1 })),
  param: (request, response) => {
    const [path, query] = request.url.split('?')
    const id = decodeURIComponent(path.slice(7))
    send(response, 'application/json', JSON.stringify({ id, q: new URLSearchParams(query).get('q') }))
  },
  post: (request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { name, email, age } = JSON.parse(Buffer.concat(chunks).toString())
      if (typeof name !== 'string' || typeof email !== 'string' || !email.includes('@') || typeof age !== 'number') {
        response.writeHead(422).end()
      } else send(response, 'application/json', JSON.stringify({ name, email, age }))
    })
  },
  headers: (_, response) => send(response, 'text/plain; charset=utf-8', 'hello world', SECURITY),
  limit: (request, response) => {
    const key = request.socket.remoteAddress
    const now = Date.now()
    let hit = hits.get(key)
    if (!hit || hit.reset <= now) {
      hit = { count: 0, reset: now + 60_000 }
      hits.set(key, hit)
    }
    hit.count++
    send(response, 'text/plain; charset=utf-8', 'hello world', [
      ...SECURITY,
      'ratelimit-policy',
      '1000000000;w=60',
      'ratelimit-limit',
      '1000000000',
      'ratelimit-remaining',
      String(1_000_000_000 - hit.count),
      'ratelimit-reset',
      String(Math.ceil((hit.reset - now) / 1000)),
    ])
  },
}

export const serve = (name, port) => createServer(cases[name]).listen(port, '127.0.0.1')
