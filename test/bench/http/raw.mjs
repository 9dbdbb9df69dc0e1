import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { BLOCKS, FILES } from '../rows.mjs'
import { SECURITY as PAIRS } from '../security.mjs'

/** The hand-written server: the same bytes with nothing in between. */
const SECURITY = PAIRS.flat()

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
const EMAIL = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/
const MOST = 1_048_576

const send = (response, type, body, extra = [], status = 200) => {
  response.writeHead(status, ['content-type', type, ...extra, 'content-length', Buffer.byteLength(body)])
  response.end(body)
}

/** The checks of a validator: the type, the length while it comes, the three fields. */
const create =
  (extra = []) =>
  (request, response) => {
    if (!JSON_TYPE.test(request.headers['content-type'])) return response.writeHead(415).end()
    const chunks = []
    let size = 0
    request.on('data', (chunk) => {
      size += chunk.length
      if (size <= MOST) chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > MOST) return response.writeHead(413).end()
      const { name, email, age } = JSON.parse(Buffer.concat(chunks).toString())
      if (typeof name !== 'string' || typeof email !== 'string' || !EMAIL.test(email) || typeof age !== 'number')
        return response.writeHead(422).end()
      send(response, 'application/json', JSON.stringify({ name, email, age }), extra, 201)
    })
  }

const hits = new Map()
const sessions = new Map()
const listeners = new Set()
const EVENT = 'x'.repeat(64)
const BLOCK = new Uint8Array(65_536)
const sign = (id) => createHmac('sha256', 'a secret of thirty-two bytes or more').update(id).digest('base64url')

const factsOf = async (path) => {
  const { size, mtimeMs, mtime } = await stat(path)
  const etag = `"${size.toString(16)}-${mtimeMs.toString(16)}"`
  return { etag, fields: ['last-modified', mtime.toUTCString(), 'etag', etag, 'cache-control', 'public, max-age=0'] }
}

const sendFile = async (request, response) => {
  const path = FILES + request.url
  const { etag, fields } = await factsOf(path)
  if (request.headers['if-none-match'] === etag) response.writeHead(304, fields).end()
  else send(response, 'text/plain; charset=utf-8', await readFile(path), ['accept-ranges', 'bytes', ...fields])
}

const cases = {
  file1: sendFile,
  file64: sendFile,
  unchanged: sendFile,
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
  typed: create(),
  guarded: create(SECURITY),
  headers: (_, response) => send(response, 'text/plain; charset=utf-8', 'hello world', SECURITY),
  session: (request, response) => {
    if (request.url === '/login') {
      const id = randomUUID()
      sessions.set(id, { user: 'Ann' })
      return send(response, 'text/plain; charset=utf-8', 'in', ['set-cookie', `session=${id}.${sign(id)}; HttpOnly`])
    }
    const [id, mark = ''] = (/session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '').split('.')
    const expected = sign(id)
    const fine = mark.length === expected.length && timingSafeEqual(Buffer.from(mark), Buffer.from(expected))
    const session = fine ? sessions.get(id) : undefined
    send(response, 'text/plain; charset=utf-8', session?.user ?? 'nobody')
  },
  sse: (request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, ['content-type', 'text/event-stream', 'cache-control', 'no-cache, no-transform'])
      response.flushHeaders()
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
    } else {
      for (const listener of listeners) listener.write(`data: ${EVENT}\n\n`)
      send(response, 'text/plain; charset=utf-8', 'sent')
    }
  },
  large: (request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () =>
      send(response, 'application/json', `${JSON.parse(Buffer.concat(chunks).toString()).length}`),
    )
  },
  stream: (_, response) => {
    response.writeHead(200, ['content-type', 'application/octet-stream'])
    let count = 0
    const more = () => {
      while (count < BLOCKS) {
        count++
        if (!response.write(BLOCK)) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  },
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
