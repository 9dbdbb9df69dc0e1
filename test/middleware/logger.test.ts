import { describe, expect, test, vi } from 'vitest'
import { colorFormat, type LoggerOptions, logger } from '../../src/middleware/logger.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

/** A clock that goes on by so many milliseconds at each look. */
const clock = (step: number): (() => number) => {
  let time = 1000
  return () => {
    time += step
    return time
  }
}

describe.each(doors)('logger through %s', (_, door) => {
  const linesOf = async (
    path: string,
    options: LoggerOptions = {},
    before: any[] = [],
    after: any[] = [],
  ): Promise<string[]> => {
    const lines: string[] = []
    const log = (line: string): void => void lines.push(line)
    const fetch = door({
      use: [...before, logger({ log, now: clock(45), ...options }), ...after],
      routes: [
        ['GET', '/api/users', () => text('x')],
        ['POST', '/api/users', () => text('x', 201)],
        ['GET', '/error', () => Promise.reject(new Error('secret'))],
        ['GET', '/redirect', () => Response.redirect('http://localhost/', 307)],
      ],
      onError: () => text('sorry', 500),
    })
    const [method, url] = path.split(' ') as [string, string]
    await fetch(new Request(`http://localhost${url}`, { method }))
    return lines
  }

  test.each([
    ['MG1: the line of the contract', 'GET /api/users', 'GET /api/users 200 45ms'],
    ['MG1: another method and status', 'POST /api/users', 'POST /api/users 201 45ms'],
    ['MG1: the query stays out', 'GET /api/users?token=secret', 'GET /api/users 200 45ms'],
    ['MG1: the path as it was sent', 'GET /a%0Ab%1B[31m', 'GET /a%0Ab%1B[31m 404 45ms'],
    ['MG2: a thrown error', 'GET /error', 'GET /error 500 45ms'],
    ['MG2: an unmatched path', 'GET /none', 'GET /none 404 45ms'],
    ['MG2: a redirect', 'GET /redirect', 'GET /redirect 307 45ms'],
  ])('%s', async (_, request, expected) => {
    expect(await linesOf(request)).toEqual([expected])
  })

  test('MG1: whole milliseconds', async () => {
    expect(await linesOf('GET /none', { now: clock(1.6) })).toEqual(['GET /none 404 2ms'])
  })

  test('MG2: a refusal of a later middleware', async () => {
    expect(await linesOf('GET /none', {}, [], [() => text('slow down', 429)])).toEqual(['GET /none 429 45ms'])
  })

  test('MG3: skip', async () => {
    const skip: LoggerOptions['skip'] = (ctx, response) => ctx.path === '/none' && response.status === 404
    expect(await linesOf('GET /none', { skip })).toEqual([])
    expect(await linesOf('GET /api/users', { skip })).toHaveLength(1)
  })

  test('MG3: JSON, with the id of the request if there is one', async () => {
    const withId = [
      (ctx: any, next: any) => {
        ctx.state.requestId = 'a-1'
        return next()
      },
    ]
    const [line] = await linesOf('GET /api/users', { format: 'json' }, withId)
    expect(JSON.parse(line!)).toEqual({
      method: 'GET',
      path: '/api/users',
      status: 200,
      duration: 45,
      requestId: 'a-1',
    })
    const [plain] = await linesOf('GET /api/users', { format: 'json' })
    expect(JSON.parse(plain!)).toEqual({ method: 'GET', path: '/api/users', status: 200, duration: 45 })
  })

  test('MG3: a format of your own', async () => {
    expect(await linesOf('GET /none', { format: ({ status, path }) => `${status}|${path}` })).toEqual(['404|/none'])
  })

  test.each([
    ['line ends', '/a\r\nGET /forged 200 1ms', '/a%0D%0AGET%20/forged%20200%201ms'],
    ['escape sequences', '/\x1b[31m\x9b', '/%1B[31m%9B'],
    ['line separators and half characters', '/\u2028\ud800', '/%u2028%uD800'],
    ['NUL and DEL', '/\0\x7f', '/%00%7F'],
  ])('MG3: %s that another middleware has decoded forge no line', async (_, path, expected) => {
    const decode = [
      Object.assign((_: any, next: any) => next(), {
        prepare(ctx: any) {
          ctx.path = path
        },
      }),
    ]
    for (const format of [undefined, 'json'] as const) {
      const [line] = await linesOf('GET /none', { ...(format && { format }) }, decode)
      expect(line).toContain(expected)
      expect(line).not.toMatch(/[^ -~]/)
    }
  })

  test('the path is the one that the client asked for, when another middleware has taken a version out of it', async () => {
    const rewrite = [
      Object.assign((_: any, next: any) => next(), {
        prepare(ctx: any) {
          ctx.state.originalPath = ctx.path
          ctx.path = '/api/users'
        },
      }),
    ]
    expect(await linesOf('GET /v2/api/users', {}, rewrite)).toEqual(['GET /v2/api/users 200 45ms'])
    expect(await linesOf('GET /v2/api/users', {}, [], rewrite)).toEqual(['GET /v2/api/users 200 45ms'])
  })

  test.each<[string, LoggerOptions]>([
    ['log that throws', { log: () => fails() }],
    ['log that rejects', { log: async () => fails() }],
    ['skip that throws', { skip: () => fails() }],
    ['format that throws', { format: () => fails() }],
    ['id that is no JSON', { format: 'json' }],
  ])('MG3: a %s is reported, and costs no answer', async (_, options) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const log = vi.fn()
    const withId = (ctx: any, next: any) => {
      ctx.state.requestId = 1n
      return next()
    }
    const fetch = door({ use: [withId, logger({ log, ...options })], routes: [['GET', '/', () => text('x')]] })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text(), calls: log.mock.calls }).toEqual({
      status: 200,
      text: 'x',
      calls: [],
    })
    await vi.waitFor(() => expect(error.mock.calls).toEqual([[expect.any(Error)]]))
    error.mockRestore()
  })

  test('goes to the console by default', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await door({ use: [logger()], routes: [['GET', '/', () => text('x')]] })('/')
    expect(log).toHaveBeenCalledWith(expect.stringMatching(/^GET \/ 200 \d+ms$/))
    log.mockRestore()
  })
})

function fails(): never {
  throw new Error('no log')
}

test('an invalid format throws when the middleware is created', () => {
  expect(() => logger({ format: 'xml' as never })).toThrow(
    new TypeError('logger: format: expected "json" or a function, got "xml"'),
  )
})

describe('MG3: colorFormat', () => {
  const entry = { method: 'GET', path: '/', status: 200, duration: 1 }
  test.each([
    [204, 32],
    [301, 36],
    [404, 33],
    [500, 31],
    [799, 0],
  ])('%i is shown in colour %i', (status, color) => {
    expect(colorFormat({ enabled: true })({ ...entry, status })).toBe(`GET / \x1b[${color}m${status}\x1b[0m 1ms`)
  })

  test.each([
    ['NO_COLOR is set', '1', 'GET / 200 1ms'],
    ['NO_COLOR is empty, which is as if it were not there', '', 'GET / \x1b[32m200\x1b[0m 1ms'],
  ])('%s', (_, value, expected) => {
    vi.stubEnv('NO_COLOR', value)
    expect(colorFormat()(entry)).toBe(expected)
    vi.unstubAllEnvs()
  })

  test('without colours, the line is plain text', () => {
    expect(colorFormat({ enabled: false })(entry)).toBe('GET / 200 1ms')
  })
})
