import { expect, test } from 'vitest'
import { apiKey } from '../../src/middleware/api-key.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { cors } from '../../src/middleware/cors.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { text } from '../../src/respond/text.ts'
import { createApp } from '../../src/tiny.ts'
import { object } from '../../src/z/object.ts'
import { string } from '../../src/z/string.ts'

const verify = async () => ({ id: 1 })

test.each([
  ['validateBody', validateBody(object({ name: string() }))],
  ['bodyParser', bodyParser()],
  ['bearerAuth', bearerAuth({ verify })],
  ['basicAuth', basicAuth({ verify })],
  ['apiKey', apiKey({ verify })],
])('MW2: %s passes the response of the handler on without a copy', async (_, middleware) => {
  const answer = text('ok')
  const app = createApp().post('/', middleware as never, () => answer)
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k' }
  for (const authorization of ['Bearer t', `Basic ${btoa('a:b')}`]) {
    const init = { method: 'POST', body: '{"name":"Ann"}', headers: { ...headers, authorization } }
    const response = await app.fetch(new Request('http://localhost/', init))
    if (response.status === 401) continue
    expect(response).toBe(answer)
    return
  }
  expect.unreachable('every request was refused')
})

test('MW2: middleware of a path that only passes on leaves the response without a copy', async () => {
  const answer = text('ok')
  const app = createApp()
    .use('/a/*', bearerAuth({ verify }))
    .get('/:folder/b', () => answer)
  const response = await app.fetch(new Request('http://localhost/a/b', { headers: { authorization: 'Bearer t' } }))
  expect(response).toBe(answer)
})

test('I4: middleware of a path edits a copy, not the response that a handler gives to everybody', async () => {
  const answer = text('ok')
  const app = createApp()
    .use('/a/*', async (_, next) => {
      const response = await next()
      response.headers.append('x-times', 'one')
      return response
    })
    .get('/:folder/b', () => answer)
  for (const turn of ['first', 'second']) {
    const { headers } = await app.fetch(new Request('http://localhost/a/b'))
    expect({ turn, times: headers.get('x-times') }).toEqual({ turn, times: 'one' })
  }
})

const shared = new Response(null, { status: 422 })

test.each([
  ['apiKey refuses', apiKey({ verify: () => undefined }), 401],
  ['bearerAuth refuses', bearerAuth({ verify: () => undefined }), 401],
  ['rateLimiter refuses', rateLimiter({ max: 0, windowMs: 1000, keyGenerator: () => 'all' }), 429],
  ['csrf refuses', csrf({ secret: 'x'.repeat(32) }), 403],
  ['cors responds to a preflight', cors(), 204],
  ['onError of validateBody responds', validateBody(object({ a: string() }), { onError: () => shared }), 422],
])('X7: if %s, middleware in front gets a copy as ctx.response', async (_, middleware, status) => {
  const app = createApp()
    .use(async (ctx, next) => {
      await next()
      ctx.response!.headers.append('x-times', 'one')
    })
    .use(middleware as never)
    .all('/', () => text('ok'))
  const method = status === 204 ? 'OPTIONS' : 'POST'
  const headers = {
    origin: 'http://a.example',
    'access-control-request-method': 'PUT',
    'content-type': 'application/json',
    'x-api-key': 'k',
  }
  for (const turn of ['first', 'second']) {
    const init = { method, headers, ...(method === 'POST' && { body: '{}' }) }
    const response = await app.fetch(new Request('http://localhost/', init))
    const seen = { turn, status: response.status, times: response.headers.get('x-times') }
    expect(seen).toEqual({ turn, status, times: 'one' })
  }
})
