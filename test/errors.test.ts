import { describe, expect, test, vi } from 'vitest'
import { ValidationError } from '../src/errors/validation-error.ts'
import { HttpError, toError, toResponse } from '../src/errors.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

const throwing = (error: unknown) =>
  [
    [
      'GET',
      '/',
      () => {
        throw error
      },
    ],
    [
      'GET',
      '/async',
      async () => {
        throw error
      },
    ],
  ] as const

describe.each(doors)('%s', (_, door) => {
  test.each([
    ['E9: an error says nothing of itself', new Error('secret'), 500, { error: 'Internal Server Error' }],
    ['a string', 'secret', 500, { error: 'Internal Server Error' }],
    ['undefined', undefined, 500, { error: 'Internal Server Error' }],
    ['null', null, 500, { error: 'Internal Server Error' }],
    ['an object that looks like an answer', { status: 200, message: 'x' }, 500, { error: 'Internal Server Error' }],
    ['HttpError', new HttpError(409, 'Name is taken'), 409, { error: 'Name is taken' }],
    ['HttpError without a message', new HttpError(404), 404, { error: 'Not Found' }],
    [
      'HttpError with a code and data',
      new HttpError(400, 'No', { code: 'bad_thing', data: { field: 'x' } }),
      400,
      { error: 'No', code: 'bad_thing', field: 'x' },
    ],
    [
      'HttpError: its cause is not sent',
      new HttpError(400, 'No', { cause: new Error('secret') }),
      400,
      { error: 'No' },
    ],
    [
      'HttpError whose status was changed to one that is none',
      Object.assign(new HttpError(400, 'No'), { status: 99 }),
      500,
      { error: 'Internal Server Error' },
    ],
    [
      'HttpError with data that JSON cannot hold',
      new HttpError(400, 'No', { data: { big: 1n } }),
      500,
      { error: 'Internal Server Error' },
    ],
    ['a SyntaxError that is not about the body', new SyntaxError('secret'), 500, { error: 'Internal Server Error' }],
    ['a URIError of the handler', new URIError('secret'), 500, { error: 'Internal Server Error' }],
  ])('R6: %s', async (_, error, status, body) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = door({ routes: throwing(error) })
    for (const path of ['/', '/async']) {
      const response = await fetch(path)
      expect({ status: response.status, json: await response.json() }).toEqual({ status, json: body })
      expect(response.headers.get('content-type')).toBe('application/json')
    }
    expect(log.mock.calls.length > 0).toBe(status === 500)
    log.mockRestore()
  })

  test.each([
    ['a field list', ['retry-after', '30']],
    ['a record', { 'Retry-After': '30' }],
    ['pairs', [['retry-after', '30'] as const]],
    ['Headers', new Headers({ 'retry-after': '30' })],
  ])('R6: HttpError brings its fields: %s', async (_, headers) => {
    const response = await door({ routes: throwing(new HttpError(429, 'Slow down', { headers })) })('/')
    expect({ status: response.status, 'retry-after': response.headers.get('retry-after') }).toEqual({
      status: 429,
      'retry-after': '30',
    })
  })

  test('R6: a failed validation is a 422', async () => {
    const issue = { code: 'custom', path: ['a'], message: 'no', received: 'secret' }
    expect(new ValidationError([issue as never])).toHaveProperty('status', 422)
    const response = await door({ routes: throwing(new ValidationError([issue as never])) })('/')
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      error: 'Validation failed',
      issues: [{ path: ['a'], message: 'no' }],
    })
  })

  test.each([
    ['sync', (error: any, ctx: any) => text(`${error.message} ${ctx.state.user} ${ctx.params.id}`, 503)],
    ['async', async (error: any, ctx: any) => text(`${error.message} ${ctx.state.user} ${ctx.params.id}`, 503)],
  ])('R5, E11: onError gets the error and the same context: %s', async (_, onError) => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.state.user = 'ada'
          return next()
        },
      ],
      routes: [
        [
          'GET',
          '/u/:id',
          () => {
            throw new Error('boom')
          },
        ],
      ],
      onError,
    })
    const response = await fetch('/u/7')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 503, text: 'boom ada 7' })
  })

  test.each([
    ['a string', 'x'],
    ['undefined', undefined],
    ['an object', { a: 1 }],
  ])('R5: onError gets what was thrown as it is: %s', async (_, thrown) => {
    const seen: unknown[] = []
    const fetch = door({
      routes: throwing(thrown),
      onError: (error) => {
        seen.push(error)
        return text('')
      },
    })
    await fetch('/')
    await fetch('/async')
    expect(seen).toEqual([thrown, thrown])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('worse')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('worse')
      },
    ],
    ['returns nothing', () => undefined],
    ['resolves to nothing', async () => undefined],
    ['returns a number', () => 1],
    ['resolves to an object', async () => ({})],
  ])('R5: onError that %s leads to the default answer, and fetch does not reject', async (_, onError) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const use of [
      [],
      [
        (ctx: any, next: any) => {
          ctx.onResponse(['x-a', 'b'])
          return next()
        },
      ],
    ]) {
      const fetch = door({ use, routes: throwing(new Error('boom')), onError })
      for (const path of ['/', '/async']) {
        const response = await fetch(path)
        expect({ status: response.status, json: await response.json() }).toEqual({
          status: 500,
          json: { error: 'Internal Server Error' },
        })
        expect(response.headers.get('x-a')).toBe(use.length ? 'b' : null)
      }
    }
    log.mockRestore()
  })

  test('R5: onError may hand over to toResponse', async () => {
    const fetch = door({ routes: throwing(new HttpError(418, 'teapot')), onError: toResponse })
    expect((await fetch('/')).status).toBe(418)
  })
})

test.each([
  ['an error', new RangeError('x'), 'x'],
  ['a string', 'no', 'Thrown: no'],
  ['undefined', undefined, 'Thrown: undefined'],
  ['a symbol', Symbol('s'), 'Thrown: Symbol(s)'],
  ['an object without prototype', Object.create(null), 'Thrown: object'],
])('R5: toError of %s', (_, thrown, message) => {
  const error = toError(thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error.message).toBe(message)
  if (thrown instanceof Error) expect(error).toBe(thrown)
  else expect(error.cause).toBe(thrown)
})

test.each([
  [404, 'Not Found'],
  [413, 'Content Too Large'],
  [422, 'Unprocessable Content'],
  [405, 'Method Not Allowed'],
  [410, 'Gone'],
  [451, 'Unavailable For Legal Reasons'],
  [504, 'Gateway Timeout'],
  [418, 'Error 418'],
  [599, 'Error 599'],
])('HttpError(%s) says %s', (status, message) => {
  expect(new HttpError(status)).toMatchObject({ status, message, name: 'HttpError' })
})

test.each([
  ['a success', [200], 'status: expected a whole number from 400 to 599, got 200'],
  ['a redirect', [302, 'x'], 'status: expected a whole number from 400 to 599, got 302'],
  ['one below', [399], 'status: expected a whole number from 400 to 599, got 399'],
  ['one above', [600], 'status: expected a whole number from 400 to 599, got 600'],
  ['a fraction', [404.5], 'status: expected a whole number from 400 to 599, got 404.5'],
  ['a string', ['404', 'x'], 'status: expected a whole number from 400 to 599, got "404"'],
  ['the arguments swapped', ['x', 404], 'status: expected a whole number from 400 to 599, got "x"'],
  ['nothing', [], 'status: expected a whole number from 400 to 599, got undefined'],
  ['an object as message', [404, { message: 'x' }], 'message: expected a string, got {"message":"x"}'],
])('HttpError refuses %s', (_, args, message) => {
  expect(() => Reflect.construct(HttpError, args)).toThrow(new TypeError(`HttpError: ${message}`))
})

test.each([400, 599])('HttpError accepts the status %i', (status) => {
  expect(new HttpError(status).status).toBe(status)
})
