import '../mend-express.ts'
import type { AddressInfo } from 'node:net'
import { doubleCsrf } from 'csrf-csrf'
import express, { type Request as ExpressRequest, type Response as ExpressResponse, type NextFunction } from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { getCookies } from '../../src/cookie.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { json } from '../../src/respond/json.ts'

/** Both over real sockets, both bound to the header `x-user`: whatever one refuses, the other refuses. */
describe('csrf-csrf', () => {
  const close: (() => unknown)[] = []
  const urls: Record<'theirs' | 'ours', string> = { theirs: '', ours: '' }

  beforeAll(async () => {
    const { doubleCsrfProtection, generateCsrfToken, invalidCsrfTokenError } = doubleCsrf({
      getSecret: () => 'one secret',
      getSessionIdentifier: (request) => String(request.headers['x-user'] ?? ''),
      cookieName: '_csrf',
      cookieOptions: { secure: false },
    })
    const app = express()
    app.use((request, _, next) => {
      request.cookies = getCookies({ header: () => request.headers.cookie ?? null })
      next()
    })
    app.use(doubleCsrfProtection)
    app.all('/', (request, response) => {
      response.json({ token: request.method === 'GET' ? generateCsrfToken(request, response) : '' })
    })
    app.use((error: unknown, _: ExpressRequest, response: ExpressResponse, next: NextFunction) => {
      if (error === invalidCsrfTokenError) response.status(403).json({})
      else next(error)
    })
    const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
    })
    urls.theirs = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const handle = await createApp()
      .use(csrf({ secret: 'one secret', getSessionId: (ctx) => ctx.header('x-user') ?? '' }))
      .all('/', (ctx) => json({ token: ctx.state.csrfToken }))
      .listen({ port: 0, hostname: '127.0.0.1' })
    urls.ours = handle.url
    close.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => handle.close(),
    )
  })
  afterAll(() => Promise.all(close.map((each) => each())))

  interface Visit {
    readonly token: string
    readonly cookie: string
  }
  const visit = async (url: string, user: string): Promise<Visit> => {
    const response = await fetch(url, { headers: { 'x-user': user } })
    const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
    return { cookie, token: ((await response.json()) as { token: string }).token }
  }
  const flip = (text: string): string => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')

  test.each<[string, number, string, (mine: Visit, others: Visit) => Record<string, string>]>([
    ['the right pair', 200, 'POST', (mine) => ({ 'x-csrf-token': mine.token, cookie: mine.cookie, 'x-user': 'me' })],
    ['no token', 403, 'POST', (mine) => ({ cookie: mine.cookie, 'x-user': 'me' })],
    ['no cookie', 403, 'POST', (mine) => ({ 'x-csrf-token': mine.token, 'x-user': 'me' })],
    ['neither', 403, 'POST', () => ({ 'x-user': 'me' })],
    ['an empty token', 403, 'POST', (mine) => ({ 'x-csrf-token': '', cookie: mine.cookie, 'x-user': 'me' })],
    [
      'a changed token',
      403,
      'POST',
      (mine) => ({ 'x-csrf-token': flip(mine.token), cookie: mine.cookie, 'x-user': 'me' }),
    ],
    [
      'a changed cookie',
      403,
      'POST',
      (mine) => ({ 'x-csrf-token': mine.token, cookie: flip(mine.cookie), 'x-user': 'me' }),
    ],
    [
      'a truncated token',
      403,
      'POST',
      (mine) => ({ 'x-csrf-token': mine.token.slice(1), cookie: mine.cookie, 'x-user': 'me' }),
    ],
    ['an empty cookie', 403, 'POST', (mine) => ({ 'x-csrf-token': mine.token, cookie: '_csrf=', 'x-user': 'me' })],
    [
      'a pair of another session',
      403,
      'POST',
      (_, others) => ({ 'x-csrf-token': others.token, cookie: others.cookie, 'x-user': 'me' }),
    ],
    [
      'a token of another session',
      403,
      'POST',
      (mine, others) => ({ 'x-csrf-token': others.token, cookie: mine.cookie, 'x-user': 'me' }),
    ],
    [
      'a cookie of another session',
      403,
      'POST',
      (mine, others) => ({ 'x-csrf-token': mine.token, cookie: others.cookie, 'x-user': 'me' }),
    ],
    [
      'an equal pair that nobody signed',
      403,
      'POST',
      () => ({ 'x-csrf-token': 'aa.bb', cookie: '_csrf=aa.bb', 'x-user': 'me' }),
    ],
    ['PUT without token', 403, 'PUT', (mine) => ({ cookie: mine.cookie, 'x-user': 'me' })],
    ['PATCH without token', 403, 'PATCH', (mine) => ({ cookie: mine.cookie, 'x-user': 'me' })],
    ['DELETE without token', 403, 'DELETE', (mine) => ({ cookie: mine.cookie, 'x-user': 'me' })],
    ['GET without token', 200, 'GET', (mine) => ({ cookie: mine.cookie, 'x-user': 'me' })],
    ['OPTIONS without token', 200, 'OPTIONS', () => ({ 'x-user': 'me' })],
  ])('%s is answered with %i by both', async (_, status, method, headersOf) => {
    for (const url of [urls.theirs, urls.ours]) {
      const headers = headersOf(await visit(url, 'me'), await visit(url, 'other'))
      const response = await fetch(url, { method, headers })
      expect({ ours: url === urls.ours, status: response.status }).toEqual({ ours: url === urls.ours, status })
      await response.text()
    }
  })
})
