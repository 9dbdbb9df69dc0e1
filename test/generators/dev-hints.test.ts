import { describe, expect, test } from 'vitest'
import { hintOf } from '../../generators/dev/explain.ts'
import { orderProblems } from '../../generators/dev/order.ts'
import { readThrown } from '../../generators/dev/thrown.ts'
import { createApp } from '../../src/app.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { chainsOf, type RouteInfo } from '../../src/pipe/list-routes.ts'

const conduct = (step: (...args: any[]) => unknown, isHandler: boolean) => ({
  step: step as never,
  label: 'step',
  isHandler,
  called: false,
  next: undefined,
})
const handler = conduct((_ctx) => {}, true)
const middleware = conduct((_ctx, _next) => {}, false)
const express = (_request: unknown, _response: unknown, _next: unknown) => {}
const reading = (key: string) => `Cannot read properties of undefined (reading '${key}')`

describe('what an error of JavaScript means', () => {
  test.each([
    ['a handler of Express', conduct(express, true), reading('json'), '', 'takes 3 arguments'],
    ['a middleware of Express', conduct(express, false), 'next is not a function', '', 'takes 3 arguments'],
    ['status of Hono', handler, 'ctx.status is not a function', '', 'ctx.json(data, 201)'],
    ['set of Hono', middleware, 'c.set is not a function', '', 'ctx.state for values'],
    ['req of Hono', handler, reading('query'), "const q = c.req.query('q')", 'There is no ctx.req'],
    ['a bigint', handler, 'Do not know how to serialize a BigInt', '', 'JSON has no bigint'],
    ['a shape for a schema', handler, 'schema.safeParse is not a function', '', 'A schema is expected'],
    ['nothing for a schema', handler, reading('~standard'), '', 'A schema is expected'],
    ['a function for waitUntil', handler, 'promise.catch is not a function', '', 'takes a promise'],
    ['no session', handler, reading('user'), 'return ctx.json(ctx.state.session.user)', 'session(), which must run'],
    ['no body parser', handler, reading('name'), 'const { name } = ctx.state.body', 'bodyParser(), which must run'],
    ['a forgotten await', middleware, reading('set'), "next().headers.set('a', 'b')", '`await next()`'],
  ])('%s', (_, step, message, line, hint) => {
    expect(hintOf(new TypeError(message), step, line)).toContain(hint)
  })

  test.each([
    ['an error of the application', handler, new Error('next undefined'), ''],
    ['a text', handler, 'ctx.status is not a function', ''],
    ['a method that nobody knows', handler, new TypeError('ctx.fly is not a function'), ''],
    ['a method of something else', handler, new TypeError('user.status is not a function'), ''],
    ['a key that no middleware of ours writes', handler, new TypeError(reading('id')), 'ctx.state.user.id'],
    ['a key that every object has', handler, new TypeError(reading('id')), 'ctx.state.constructor.id'],
    ['options of a middleware that was called', middleware, new TypeError('cors: target: unknown option'), ''],
  ])('%s is left alone', (_, step, error, line) => {
    expect(hintOf(readThrown(error), step, line)).toBeUndefined()
  })
})

describe('the order of middleware', () => {
  const problemsOf = (app: ReturnType<typeof createApp>): string[] =>
    orderProblems(
      app.routes(),
      chainsOf(app.plan).map(({ middleware }) => middleware),
    )
  const route = (path: string, ...middleware: string[]): RouteInfo => ({
    method: 'GET',
    path,
    handler: '',
    middleware,
    duplicate: false,
  })

  test('csrf before session is told once, with the first route', () => {
    expect(orderProblems([route('/a', 'csrf', 'session'), route('/b', 'csrf', 'session')])).toEqual([
      'GET /a: csrf runs before session, so a token is not bound to the session',
    ])
  })

  test.each([
    ['its own session id', { getSessionId: () => 'a' }, 0],
    ['none', {}, 1],
  ])('csrf before session with %s', (_, options, problems) => {
    const guard = csrf({ secret: 'x'.repeat(32), ...options })
    const app = createApp()
      .use(guard)
      .use('/admin/*', guard)
      .use(session({ secret: 'x'.repeat(32) }))
      .get('/', guard, () => new Response())
    expect(problemsOf(app)).toHaveLength(problems)
    const scoped = createApp()
      .use('/a/*', guard)
      .use(session({ secret: 'x'.repeat(32) }))
      .get('/a/b', () => new Response())
    expect(problemsOf(scoped)).toHaveLength(problems)
  })

  test('csrf with its own session id does not silence the advice for another one', () => {
    const secret = 'x'.repeat(32)
    const own = csrf({ secret, getSessionId: () => 'a' })
    const ok = () => new Response()
    const app = createApp()
      .use('/api/*', own)
      .get('/own', own, session({ secret }), ok)
      .get('/other', csrf({ secret }), session({ secret }), ok)
    expect(problemsOf(app)).toEqual(['GET /other: csrf runs before session, so a token is not bound to the session'])
  })

  test.each([
    ['csrf', 'bodyParser'],
    ['sanitizer', 'bodyParser'],
    ['session', 'trustedProxy'],
    ['bearerAuth', 'cors'],
    ['csrf /admin/*', 'session'],
    ['csrf /admin/*', 'session /admin/*'],
  ])('%s before %s is told', (early, late) => {
    expect(orderProblems([route('/', 'logger', early, 'helmet', late)])).toHaveLength(1)
  })

  test.each([
    ['the right order', ['trustedProxy', 'cors', 'bodyParser', 'sanitizer', 'session', 'csrf', 'rateLimiter']],
    ['one of the two', ['csrf']],
    ['one that runs before and again', ['session', 'csrf', 'session']],
    ['different paths', ['csrf /api/*', 'session /web/*']],
    ['none', []],
  ])('%s is not', (_, names) => {
    expect(orderProblems([route('/', ...names)])).toEqual([])
  })
})
