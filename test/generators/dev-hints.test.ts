import { describe, expect, test } from 'vitest'
import { hintOf } from '../../generators/dev/explain.ts'
import { readThrown } from '../../generators/dev/thrown.ts'

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
