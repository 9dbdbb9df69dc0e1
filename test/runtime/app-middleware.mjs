import { apiKey } from 'sluice/middleware/api-key'
import { apiVersion } from 'sluice/middleware/api-version'
import { basicAuth } from 'sluice/middleware/basic-auth'
import { bearerAuth } from 'sluice/middleware/bearer-auth'
import { bodyParser } from 'sluice/middleware/body-parser'
import { cache } from 'sluice/middleware/cache'
import { compression } from 'sluice/middleware/compression'
import { cors } from 'sluice/middleware/cors'
import { csrf } from 'sluice/middleware/csrf'
import { etag } from 'sluice/middleware/etag'
import { helmet } from 'sluice/middleware/helmet'
import { idempotency } from 'sluice/middleware/idempotency'
import { logger } from 'sluice/middleware/logger'
import { rateLimiter } from 'sluice/middleware/rate-limiter'
import { sanitizer } from 'sluice/middleware/sanitizer'
import { session } from 'sluice/middleware/session'
import { validateQuery, validator } from 'sluice/middleware/validator'
import { versioned } from 'sluice/middleware/versioned'
import { webhook } from 'sluice/middleware/webhook'
import { onResponse } from 'sluice/pipe'
import { readForm } from 'sluice/read/form'
import { readJson } from 'sluice/read/json'
import { readParts } from 'sluice/read/parts'
import { readText } from 'sluice/read/text'
import { json } from 'sluice/respond/json'
import { stream } from 'sluice/respond/stream'
import { text } from 'sluice/respond/text'
import { destroySession, regenerateSession } from 'sluice/session'
import { memoryIdempotency } from 'sluice/stores/memory-idempotency'
import * as z from 'sluice/z'

const SECRET = 'a secret of thirty-two characters'

/** Middleware that puts values into `ctx.state`. */
export const remember = (values) => (ctx, next) => {
  Object.assign(ctx.state, values)
  return next()
}

/** Gives each visitor a cookie of their own, in both ways that edit a response. */
const markVisitor = async (ctx, next) => {
  const visitor = ctx.header('x-visitor')
  onResponse(ctx, (response) => void response.headers.append('set-cookie', `edit=${visitor}`))
  onResponse(ctx, ['set-cookie', `list=${visitor}`])
  await next()
}

const FIXED = ['x-fixed', 'yes', 'vary', 'Origin']
const changing = ['x-count', '']

/** Puts two lists on each answer, of which one is changed between requests. */
const listed = (ctx, next) => {
  changing[1] = ctx.header('x-count') ?? ''
  onResponse(ctx, changing)
  onResponse(ctx, FIXED)
  return next()
}

/** Calls `next()` and neither returns nor awaits it. What it gives itself is the answer, else what came at once. */
const unawaited = (ctx, next) => {
  next()
  return ctx.path === '/unawaited/own' ? text('of the middleware') : undefined
}

/** Schemas are made when the module is loaded, as users make them. */
const User = z.object({
  name: z.string().min(2),
  email: z.string().email(),
  tags: z.array(z.enum(['a', 'b'])).default([]),
  role: z.union([z.literal('admin'), z.literal('user')]).optional(),
})

/** Middleware, each below a path of its own. Made anew for each door, since stores are theirs. */
export const middlewareUses = () => {
  const lines = []
  return [
    apiVersion({ strategy: 'path', versions: ['1', '2'] }),
    ['/logged/*', logger({ log: (line) => void lines.push(line) })],
    ['/logged/*', remember({ lines })],
    ['/helmet/*', helmet()],
    ['/lists/*', listed],
    ['/cors/*', cors({ origin: ['https://one.example', 'https://two.example'], credentials: true, maxAge: 600 })],
    ['/open/*', cors()],
    ['/session/*', session({ secret: SECRET, cookie: { maxAge: 3600 } })],
    ['/csrf/*', bodyParser()],
    ['/csrf/*', csrf({ secret: SECRET })],
    ['/limited/*', rateLimiter({ max: 2, windowMs: 60_000, keyGenerator: (ctx) => ctx.header('x-key') ?? 'nobody' })],
    ['/coded/*', helmet()],
    ['/coded/cached/*', cache({ maxAge: 60 })],
    ['/coded/cached/compressed', compression({ threshold: 0 })],
    ['/coded/kept', idempotency({ store: memoryIdempotency(), scope: () => '' })],
    ['/compressed/*', compression()],
    ['/parsed/*', bodyParser({ json: { limit: 1000 }, text: true, raw: true, inflate: true })],
    ['/clean/*', bodyParser()],
    ['/clean/*', sanitizer({ allowedTags: ['b'] })],
    ['/by-header/*', apiVersion({ versions: ['1', '2'] })],
    ['/shared/*', markVisitor],
    ['/unawaited/*', unawaited],
    ['/guarded/secret/*', () => text('closed', 403)],
    ['/pair/a/b', () => text('closed', 403)],
    ['/basic/*', basicAuth({ users: { ada: 'correct horse' } })],
    ['/tagged/*', etag()],
    ['/key/*', apiKey({ hashes: ['7f3fa48ca885678134842fa7456f3ece53a97f843b610185d900ac4e467c7490'] })],
    ['/hook', webhook({ scheme: 'github', secret: SECRET })],
    ['/bearer/*', bearerAuth({ verify: (token) => token === 'good' && { id: 7 } })],
  ]
}

/** `coded once, ` twenty times, as gzip. */
const CODED = Uint8Array.from(atob('H4sIAAAAAAAAA0vOT0lNUcjPS07VUUgeAWwA/fCbX/AAAAA='), (letter) =>
  letter.charCodeAt(0),
)

const coded = () => stream([CODED], { 'content-type': 'text/plain', 'content-encoding': 'gzip' })

/** Bun adds a charset to a text file's type. */
const describeFile = (file) => ({ name: file.name, type: file.type.split(';')[0], size: file.size })

const shown = (value) => (value instanceof File ? describeFile(value) : value)

export const middlewareRoutes = [
  ['GET', '/logged/lines', (ctx) => json(ctx.state.lines)],
  ['GET', '/helmet/page', () => text('page')],
  ['GET', '/helmet/platform', () => new Response('plain')],
  ['GET', '/helmet/platform-bytes', () => new Response(new Uint8Array([104, 105]))],
  [
    'GET',
    '/helmet/stored',
    (ctx) => {
      ctx.response = new Response('stored')
      return ctx.response
    },
  ],
  ['GET', '/lists/page', () => text('page')],
  ['GET', '/lists/own', () => text('own', 200, { 'x-fixed': 'own', vary: 'Accept' })],
  ['GET', '/helmet/own', () => text('own', 200, { 'x-frame-options': 'DENY' })],
  ['GET', '/helmet/frozen', () => Response.redirect('http://other.example/', 302)],
  [
    'GET',
    '/helmet/fails',
    () => {
      throw new Error('secret detail')
    },
  ],
  ['GET', '/cors/data', () => json({ ok: true })],
  ['GET', '/open/data', () => json({ ok: true })],
  [
    'GET',
    '/session/count',
    (ctx) => {
      const count = (ctx.state.session.count ?? 0) + 1
      ctx.state.session.count = count
      return json({ count })
    },
  ],
  ['GET', '/session/look', (ctx) => json({ count: ctx.state.session.count ?? null })],
  [
    'GET',
    '/session/login',
    (ctx) => {
      regenerateSession(ctx)
      ctx.state.session.user = 'ada'
      return json(ctx.state.session)
    },
  ],
  [
    'GET',
    '/session/logout',
    (ctx) => {
      destroySession(ctx)
      return text('bye')
    },
  ],
  ['GET', '/csrf/token', (ctx) => json({ token: ctx.state.csrfToken })],
  ['POST', '/csrf/act', () => text('acted')],
  ['GET', '/limited/thing', () => text('thing')],
  ['GET', '/compressed/text', () => text('compress me, '.repeat(1000))],
  ['GET', '/compressed/small', () => text('small')],
  [
    'GET',
    '/compressed/file',
    ({ method }) => {
      const headers = { 'content-type': 'text/css', 'content-length': '5000' }
      return new Response(method === 'HEAD' ? null : 'x'.repeat(5000), { headers })
    },
  ],
  ['GET', '/compressed/image', () => new Response(new Uint8Array(5000), { headers: { 'content-type': 'image/png' } })],
  [
    'GET',
    '/compressed/stream',
    () =>
      stream(
        Array.from({ length: 200 }, (_, index) => `line ${index}\n`),
        { 'content-type': 'text/plain' },
      ),
  ],
  ['GET', '/coded/own', coded],
  ['GET', '/coded/cached/stream', coded],
  ['GET', '/coded/cached/compressed', () => text('coded once, '.repeat(20))],
  ['POST', '/coded/kept', coded],
  ['POST', '/parsed/json', (ctx) => json({ body: ctx.state.body ?? null })],
  [
    'POST',
    '/parsed/again',
    async (ctx) => json({ body: ctx.state.body, again: await readJson(ctx), text: await readText(ctx) }),
  ],
  [
    'POST',
    '/parsed/form',
    (ctx) =>
      json(
        Object.fromEntries(Object.entries(ctx.state.body).map(([name, value]) => [name, [value].flat().map(shown)])),
      ),
  ],
  ['POST', '/form', async (ctx) => json(await readForm(ctx).then((form) => [...form].map(([name]) => name)))],
  ['POST', '/parsed/text', (ctx) => json({ text: ctx.state.body })],
  ['POST', '/parsed/raw', (ctx) => json({ size: ctx.state.body.byteLength })],
  [
    'POST',
    '/parts',
    async (ctx) => {
      const parts = []
      for await (const part of readParts(ctx.request)) {
        let size = 0
        for await (const piece of part) size += piece.byteLength
        parts.push({ name: part.name, filename: part.filename ?? null, size })
      }
      return json(parts)
    },
  ],
  ['POST', '/clean/body', (ctx) => json(ctx.state.body)],
  ['GET', '/clean/:name', (ctx) => json({ name: ctx.params.name, q: ctx.query.get('q') })],
  ['POST', '/valid/user', validator({ schema: User }), (ctx) => json(ctx.state.validated, 201)],
  [
    'POST',
    '/valid/json',
    validator({ schema: User, type: 'json' }),
    async (ctx) => {
      const bytes = await readText(ctx).catch((error) => error instanceof TypeError && 'refused')
      return json({ name: ctx.state.validated.name, same: (await readJson(ctx)).extra, bytes })
    },
  ],
  [
    'GET',
    '/valid/page',
    validateQuery(z.object({ page: z.coerce.number().int().min(1) })),
    (ctx) => json(ctx.state.valid.query),
  ],
  ['GET', '/by-header/x', versioned({ 1: () => text('first'), 2: () => text('second') })],
  [
    'GET',
    '/by-path',
    (ctx) => json({ version: ctx.state.apiVersion, path: ctx.path, from: ctx.state.originalPath ?? null }),
  ],
  ['GET', '/tagged/page', () => text('page')],
  ['GET', '/tagged/long', () => text('page'.repeat(20_000))],
  ['GET', '/key/who', () => text('partner')],
  ['POST', '/hook', (ctx) => text(ctx.state.webhook.id)],
  ['GET', '/basic/who', (ctx) => json(ctx.state.user)],
  ['GET', '/bearer/who', (ctx) => json(ctx.state.user)],
]
