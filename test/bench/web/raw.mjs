import { BLOCKS } from '../rows.mjs'
import { SECURITY } from '../security.mjs'

const GREETING = { message: 'hello', ok: true, n: 1 }
const EVENT = new TextEncoder().encode(`data: ${'x'.repeat(64)}\n\n`)
const BLOCK = new Uint8Array(65_536)
const TEXT = ['content-type', 'text/plain; charset=utf-8']
const isUser = ({ name, email, age }) => typeof name === 'string' && /.@./.test(email) && typeof age === 'number'
const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
/** The checks of a validator: the type, the length, the three fields. */
const create = async (request, more = []) => {
  const { headers } = request
  if (!JSON_TYPE.test(headers.get('content-type'))) return new Response(null, { status: 415 })
  const length = headers.get('content-length')
  if (length === null || Number(length) > 1_048_576 || headers.get('transfer-encoding') !== null)
    return new Response(null, { status: 413 })
  const user = await request.json()
  if (!isUser(user)) return new Response(null, { status: 422 })
  return new Response(JSON.stringify(user), { status: 201, headers: [['content-type', 'application/json'], ...more] })
}
const text = (body, more = []) => new Response(body, { headers: [TEXT, ...more] })

const listeners = new Set()
const sessions = new Map()
const hits = new Map()
const encoder = new TextEncoder()
let key
/** Web Crypto is what all these runtimes have. */
const signer = () => {
  key ??= crypto.subtle.importKey(
    'raw',
    encoder.encode('a secret of thirty-two bytes or more'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  return key
}
const coded = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const decoded = (mark) => Uint8Array.from(atob(mark), (character) => character.charCodeAt(0))

/** By hand: the same bytes with nothing in between. */
export const raw = {
  text: () => text('hello world'),
  json: () => Response.json(GREETING),
  param: ({ url }) => {
    const { pathname, searchParams } = new URL(url)
    return Response.json({ id: decodeURIComponent(pathname.slice(7)), q: searchParams.get('q') })
  },
  post: async (request) => {
    const user = await request.json()
    return isUser(user) ? Response.json(user) : new Response(null, { status: 422 })
  },
  typed: (request) => create(request),
  guarded: (request) => create(request, SECURITY),
  headers: () => text('hello world', SECURITY),
  limit: () => {
    const now = Date.now()
    let hit = hits.get('key')
    if (!hit || hit.reset <= now) {
      hit = { count: 0, reset: now + 60_000 }
      hits.set('key', hit)
    }
    hit.count++
    return text('hello world', [
      ...SECURITY,
      ['ratelimit-policy', '1000000000;w=60'],
      ['ratelimit-limit', '1000000000'],
      ['ratelimit-remaining', `${1_000_000_000 - hit.count}`],
      ['ratelimit-reset', `${Math.ceil((hit.reset - now) / 1000)}`],
    ])
  },
  session: async (request) => {
    if (request.url.endsWith('/login')) {
      const id = crypto.randomUUID()
      sessions.set(id, { user: 'Ann' })
      const mark = coded(await crypto.subtle.sign('HMAC', await signer(), encoder.encode(id)))
      return text('in', [['set-cookie', `session=${id}.${mark}; HttpOnly`]])
    }
    const [id, mark = ''] = (/session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '').split('.')
    const fine = await crypto.subtle.verify('HMAC', await signer(), decoded(mark), encoder.encode(id))
    return text((fine && sessions.get(id)?.user) || 'nobody')
  },
  sse: (request) => {
    if (!request.url.endsWith('/events')) {
      for (const listener of listeners) listener.enqueue(EVENT)
      return text('sent')
    }
    let own
    const body = new ReadableStream({
      start(controller) {
        own = controller
        listeners.add(own)
      },
      cancel: () => listeners.delete(own),
    })
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
    })
  },
  large: async (request) =>
    new Response(`${(await request.json()).length}`, { headers: { 'content-type': 'application/json' } }),
  stream: () => {
    let count = 0
    const body = new ReadableStream({
      pull(controller) {
        if (count++ < BLOCKS) controller.enqueue(BLOCK)
        else controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/octet-stream' } })
  },
}
