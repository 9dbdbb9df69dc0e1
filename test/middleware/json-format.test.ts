import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { HttpError } from '../../src/errors.ts'
import { type JsonFormatOptions, jsonFormat } from '../../src/middleware/logger/json-format.ts'
import { logger } from '../../src/middleware/logger.ts'
import { requestId } from '../../src/middleware/request-id.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

const now = () => 0
const time = '1970-01-01T00:00:00.000Z'

describe.each(doors)('OP7: jsonFormat through %s', (_, door) => {
  const lineOf = async (path: string, options: JsonFormatOptions = {}, failure: unknown = new Error('x')) => {
    const lines: string[] = []
    let clock = 0
    const step = () => {
      clock += 45
      return clock
    }
    const format = jsonFormat({ now, ...options })
    const fetch = door({
      use: [logger({ log: (line) => lines.push(line), now: step, format }), requestId({ create: () => 'a-1' })],
      routes: [
        ['GET', '/users/:id', () => text('x')],
        ['GET', '/fails/:how', (ctx: any) => (ctx.params.how === 'late' ? Promise.reject(failure) : fail(failure))],
      ],
      onError: (error) => text('sorry', error instanceof HttpError ? error.status : 500),
    })
    await fetch(path)
    expect(lines).toHaveLength(1)
    return JSON.parse(lines[0]!)
  }
  const fail = (error: unknown) => {
    throw error
  }
  const line = { time, level: 'info', method: 'GET', duration: 45, requestId: 'a-1' }

  test('OP7: request id, route pattern, duration and status', async () => {
    expect(await lineOf('/users/7?token=1')).toEqual({ ...line, path: '/users/7', route: '/users/:id', status: 200 })
  })

  test('OP7: what no route matches has no pattern', async () => {
    expect(await lineOf('/none')).toEqual({ ...line, level: 'warn', path: '/none', status: 404 })
  })

  test.each(['now', 'late'])('OP7: an error that is thrown %s, with its chain of causes', async (how) => {
    const root = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const cause = new AggregateError([new RangeError('one')], 'all failed', { cause: root })
    const { error, ...rest } = await lineOf(`/fails/${how}`, {}, new TypeError('no user', { cause }))
    expect(rest).toEqual({ ...line, level: 'error', path: `/fails/${how}`, route: '/fails/:how', status: 500 })
    expect(error).toMatchObject({
      name: 'TypeError',
      message: 'no user',
      stack: expect.stringContaining('json-format.test.ts'),
      cause: {
        name: 'AggregateError',
        message: 'all failed',
        errors: [{ name: 'RangeError', message: 'one' }],
        cause: { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
      },
    })
  })

  test.each([
    [399, 'info'],
    [400, 'warn'],
    [499, 'warn'],
    [500, 'error'],
  ])('OP7: the status %s is logged as %s', (status, level) => {
    const line = jsonFormat({ now })({ method: 'GET', path: '/', status, duration: 1 }, {} as never, text('x'))
    expect(JSON.parse(line).level).toBe(level)
  })

  test('OP7: an error that the client caused has no stack', async () => {
    const { level, status, error } = await lineOf('/fails/now', {}, new HttpError(409, 'taken'))
    expect({ level, status }).toEqual({ level: 'warn', status: 409 })
    expect(error).toMatchObject({ message: 'taken', status: 409 })
    expect(error).not.toHaveProperty('stack')
  })

  test.each([
    ['a text', 'no', 'no'],
    ['null', null, null],
    ['an error that causes itself', circle(), { message: 'round', cause: '[circular]' }],
    ['an error whose message cannot be read', unreadable(), '[unreadable]'],
  ])('OP7: %s that was thrown', async (_, thrown, expected) => {
    const { error } = await lineOf('/fails/now', {}, thrown)
    expect(typeof expected === 'object' && expected ? { ...error, ...expected } : error).toEqual(
      typeof expected === 'object' && expected ? error : expected,
    )
  })

  test('OP7: custom fields, which cannot replace those of the format', async () => {
    const fields: JsonFormatOptions['fields'] = (ctx, response) => ({
      user: ctx.params.id,
      type: response.headers.get('content-type'),
      status: 0,
      level: 'x',
    })
    const type = expect.stringMatching(/^text\/plain; ?charset=utf-8$/i)
    expect(await lineOf('/users/7', { fields })).toMatchObject({ user: '7', type, status: 200, level: 'info' })
  })

  test('OP7: fields that fail cost neither the line nor the request', async () => {
    const fields = () => fail(new Error('no fields')) as never
    expect(await lineOf('/users/7', { fields })).toMatchObject({ status: 200, fields: expect.anything() })
    expect(await lineOf('/users/7', { fields: () => undefined as never })).toMatchObject({ status: 200 })
  })

  test('OP7: fields that come late are refused, and what they reject with is reported', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const refused = { message: 'jsonFormat: fields: expected an object, got "a promise"' }
    const error = new Error('no fields')
    for (const fields of [async () => ({ user: 7 }), () => Promise.reject(error)])
      expect(await lineOf('/users/7', { fields })).toMatchObject({ status: 200, fields: refused })
    await vi.waitFor(() => expect(log.mock.calls).toEqual([[error]]))
    log.mockRestore()
  })
})

function circle(): Error {
  const error = new Error('round')
  error.cause = error
  return error
}

function unreadable(): Error {
  const message = () => {
    throw new Error('no')
  }
  return Object.defineProperty(new Error(), 'message', { get: message })
}

/** A line with these fields. */
const write = (fields: object, options: JsonFormatOptions = {}): string =>
  jsonFormat({ now, fields: () => fields, ...options })(
    { method: 'GET', path: '/', status: 200, duration: 1 },
    { params: {} } as never,
    text('x'),
  )
const fieldOf = (field: unknown, options?: JsonFormatOptions): unknown => JSON.parse(write({ field }, options)).field

test('OP7: the members of the format come first, in their order, also where fields have the same names', () => {
  const line = write({ status: 0, user: 7, time: 'x' })
  expect(Object.keys(JSON.parse(line))).toEqual(['time', 'level', 'method', 'path', 'status', 'duration', 'user'])
})

describe('OP7: secrets are redacted', () => {
  test.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'Set-Cookie',
    'password',
    'newPassword',
    'user_password',
    'PASSWD',
    'passphrase',
    'db.pwd',
    'secret',
    'clientSecret',
    'access_token',
    'X-CSRF-Token',
    'x-api-key',
    'apiKey',
    'private_key',
    'credentials',
    'jwt',
    'idJWT',
    'JWTPayload',
    'sid',
    'connect.sid',
    'sessionId',
    'session_id',
    'JSESSIONID',
    'PHPSESSID',
    'otp',
    'totp',
    'pin',
    'PIN',
    'card-pin',
    'cvv',
    'cvc2',
    'ssn',
    '_csrf',
    'X-XSRF',
  ])('%s', (name) => {
    for (const value of ['hunter2', ['hunter2'], { a: 'hunter2' }, 0])
      expect(fieldOf({ [name]: value, other: 1 })).toEqual({ [name]: '[redacted]', other: 1 })
    for (const holder of [
      new Headers([[name.replace('.', '-'), 'hunter2']]),
      new Map([[name, 'hunter2']]),
      new URLSearchParams([[name, 'hunter2']]),
      [[name, 'hunter2']],
      ['accept', 'a', name, 'hunter2'],
      Object.assign(new Error('x'), { [name]: 'hunter2' }),
      new Error('x', { cause: { deep: [{ [name]: 'hunter2' }] } }),
    ])
      expect(write({ field: holder })).not.toContain('hunter2')
  })

  test.each([
    ...['otpCode', 'userPin', 'userPIN', 'PINCode', 'pinCode', 'csrfField', 'cardCvv', 'bitmapPin', 'totp', 'xsrf'],
    ...['userSid', 'user_sid', 'koa.sid', '__Host-sid', 'sid.sig', 'sessId', 'sess_id', 'php_sessid', 'phpSessId'],
    ...['osSessionId', 'asSessId', 'classSessionId', 'ASPSESSIONIDQQABCD', 'csrfFailedToken', 'pass_word', 'ToKen'],
    ...[`${'x'.repeat(88)}UserPassword`, 'csrf', 'csrfValue'],
  ])('%s, by a word of the name', (name) => {
    expect(fieldOf({ [name]: 'hunter2', other: 1 })).toEqual({ [name]: '[redacted]', other: 1 })
  })

  test.each([
    ['shipping', 'opinion', 'pinned', 'pincode', 'spin', 'mapping'],
    ['inside', 'side', 'residence', 'sids', 'assessment_id', 'session', 'sessions'],
    ['assessId', 'assessid', 'assess_id', 'possessId', 'riskAssessId'],
    ['accountSid', 'account_sid', 'AccountSid', 'callSid', 'call__sid', 'messageSid', 'messagingServiceSid'],
    ['mapPin', 'map_pin', 'dropPin', 'csrfFailed', 'csrf_failure', 'csrfError', 'xsrfErr'],
    ['hotpath', 'robotPlan', 'options', 'classNames', 'lesson', 'cvs', 'author', 'userId'],
  ])('a harmless name is not: %s, %s, %s …', (...names) => {
    const given = Object.fromEntries(names.map((name) => [name, 'kept']))
    expect(fieldOf(given)).toEqual(given)
  })

  test.each([
    [
      'a name',
      ['social security'],
      { 'Social-Security': 1, social: 2 },
      { 'Social-Security': '[redacted]', social: 2 },
    ],
    [
      'a name, and not every name that contains it',
      ['card'],
      { card: 1, discard: 2 },
      { card: '[redacted]', discard: 2 },
    ],
    ['a name that would be no pattern', ['card('], { 'card(': 1, card: 2 }, { 'card(': '[redacted]', card: 2 }],
    ['a pattern', [/^card/], { cardNumber: 1, discard: 2 }, { cardNumber: '[redacted]', discard: 2 }],
    ['a pattern with a place', [/iban/g], { iban: 1, iban2: 2 }, { iban: '[redacted]', iban2: '[redacted]' }],
  ])('%s of your own', (_, redact, given, expected) => {
    expect(fieldOf(given, { redact })).toEqual(expected)
    expect(fieldOf({ password: 'x' }, { redact })).toEqual({ password: '[redacted]' })
  })

  test('a boolean tells about a secret, and is none', () => {
    const given = { csrfFailed: true, hasPassword: false, token: true, cookieConsent: [true] }
    expect(fieldOf(given)).toEqual({ ...given, cookieConsent: '[redacted]' })
  })

  test('a name of 100 characters is one, and one character more is not', () => {
    const [name, longer] = [100, 101].map((length) => `${'x'.repeat(length - 8)}password`) as [string, string]
    expect(fieldOf({ [name]: 1, [longer]: 1 })).toEqual({ [name]: '[redacted]', [longer]: 1 })
  })

  test('a field on the first level, and nothing that is no secret', () => {
    expect(JSON.parse(write({ password: 'x', user: 'ann', passed: true }))).toMatchObject({
      password: '[redacted]',
      user: 'ann',
      passed: true,
    })
    expect(fieldOf({ token: undefined, secret: null })).toEqual({ secret: null })
  })

  test.each([
    ['postgres://app:hunter2@db/shop', 'postgres://app:[redacted]@db/shop'],
    [
      'at redis://:hunter2@cache:6379 and https://a.example/x?y',
      'at redis://:[redacted]@cache:6379 and https://a.example/x?y',
    ],
    ['https://a.example:8080/@b', 'https://a.example:8080/@b'],
    ['postgres://app:hunter2@er@db/shop', 'postgres://app:[redacted]@db/shop'],
    ['postgres://app:x/hunter2@db/shop', 'postgres://app:[redacted]@db/shop'],
    ['postgres://app:hunter2@x/hunter2@db/shop', 'postgres://app:[redacted]@db/shop'],
    ['postgres://app@server:hunter2@db/shop', 'postgres://app@server:[redacted]@db/shop'],
    ['http://a:8080/?to=postgres://app:hunter2@db', 'http://a:8080/?to=postgres://app:[redacted]@db'],
    ['a b@c d://e f', 'a b@c d://e f'],
    ['docker://registry:latest', 'docker://registry:latest'],
  ])('of a URL the password: %s', (given, expected) => {
    expect(fieldOf(given)).toBe(expected)
    expect(JSON.stringify(fieldOf(new Error(given)))).not.toContain('hunter2')
  })
})

describe('OP7: a password where the text is cut', () => {
  const url = 'postgres://app:hunter2@hunter2@db/shop'

  test('a secret is never shown in part, wherever the text is cut', () => {
    for (let before = 0; before <= 1100; before++) {
      const shown = fieldOf(`${'x'.repeat(before)} ${url} ${'y'.repeat(2000)}`, { maxLength: 50 })
      expect(shown).not.toMatch(/:h|hunter|er2/)
    }
  })

  test('a text of the length that is searched has no end beyond it, and one character more may have', () => {
    const text = `a://b:${'x'.repeat(50 + 1024 - 6)}`
    expect(fieldOf(text, { maxLength: 50 })).toBe(text.slice(0, 50))
    expect(fieldOf(`${text}x`, { maxLength: 50 })).toBe('a://b:[redacted]')
  })

  test('a URL that ends before the text is cut keeps its port by name', () => {
    expect(fieldOf(`a://b:word ${'y'.repeat(2000)}`, { maxLength: 20 })).toBe('a://b:word yyyyyyyyy')
  })

  test.each([
    ['whose end is beyond the text', `${'x '.repeat(10)}${url}`, 40, `${'x '.repeat(10)}postgres://app:[reda`],
    ['whose end is nowhere', `a://b:${'hunter2@'.repeat(1000)}`, 60, 'a://b:[redacted]'],
  ])('one %s', (_, given, maxLength, expected) => {
    expect(fieldOf(given, { maxLength })).toBe(expected)
  })
})

describe('OP7: a line is one line of JSON', () => {
  const shared = { x: 1 }
  const round: any = { list: [] }
  round.list.push(round)
  const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ inner }), {})
  const endless = {
    *[Symbol.iterator]() {
      for (;;) yield 'x'
    },
  }
  test.each<[string, unknown, unknown]>([
    ['BigInt', 10n ** 20n, '100000000000000000000'],
    ['a circle', round, { list: ['[circular]'] }],
    ['the same object twice is no circle', [shared, shared], [{ x: 1 }, { x: 1 }]],
    ['the same object in two members', { a: shared, b: [shared] }, { a: { x: 1 }, b: [{ x: 1 }] }],
    ['headers', new Headers({ a: 'b' }), { a: 'b' }],
    ['a map', new Map<unknown, unknown>([[1, { a: 2 }]]), { 1: { a: 2 } }],
    ['a query', new URLSearchParams('a=b'), { a: 'b' }],
    ['internal properties', { '~trace': 1, 'a~': 2 }, { 'a~': 2 }],
    ['numbers that JSON does not know', [Number.NaN, -1 / 0], ['NaN', '-Infinity']],
    ['functions and symbols', [() => 1, Symbol('x')], ['[function]', '[symbol]']],
    ['a date', new Date(0), time],
    ['an invalid date', new Date(Number.NaN), null],
    ['bytes', new Uint8Array(3), '[3 bytes]'],
    ['a set', new Set([1]), [1]],
    ['a URL', new URL('http://a:b@h/'), 'http://a:[redacted]@h/'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a member named entries', { entries: () => 1, toString: 1 }, { entries: '[function]', toString: 1 }],
    ['a member that throws', Object.defineProperty({}, 'a', { enumerable: true, get: () => fails() }), '[unreadable]'],
    ['a toJSON that throws', { toJSON: () => fails() }, '[unreadable]'],
    [
      'a toJSON that gives itself',
      {
        toJSON() {
          return this
        },
      },
      '[circular]',
    ],
    ['a text that is too long', 'x'.repeat(5000), 'x'.repeat(4096)],
    ['a list without an end', endless, Array(100).fill('x')],
  ])('%s', (_, given, expected) => {
    expect(fieldOf(given)).toEqual(expected)
  })

  test('deep and wide values are cut', () => {
    expect(write({ field: deep })).toContain('[cut]')
    const wide = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => ({ a: 'b' })))
    expect(write({ field: wide }).length).toBeLessThan(200_000)
    const numbers = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 7))
    expect(write({ field: numbers }).match(/7/g)!.length).toBeLessThan(1000)
  })

  test('ten levels are shown, and the eleventh is cut', () => {
    // The fields themselves are the first level
    const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), 'end')
    const shown = (levels: number) => JSON.stringify(fieldOf(nested(levels)))
    expect({ end: shown(9).includes('end'), cut: shown(9).includes('[cut]') }).toEqual({ end: true, cut: false })
    expect({ end: shown(10).includes('end'), cut: shown(10).includes('"[cut]"') }).toEqual({ end: false, cut: true })
  })

  test.each([
    ['a list', (length: number) => Array.from({ length }, () => 7)],
    ['an object', (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`a${index}`, 7]))],
    ['a map', (length: number) => new Map(Array.from({ length }, (_, index) => [index, 7]))],
  ])('of %s a hundred members are shown', (_, make) => {
    const shown = (length: number) => JSON.stringify(fieldOf(make(length))).match(/\b7\b(?!":)/g)!.length
    expect({ below: shown(99), limit: shown(100), above: shown(101) }).toEqual({ below: 99, limit: 100, above: 100 })
  })

  test('a thousand values are shown, and each further one is cut', () => {
    // The fields, the list in them and its ten lists are values too
    const numbers = Array.from({ length: 10 }, () => Array.from({ length: 100 }, () => 7))
    const flat = (fieldOf(numbers) as unknown[][]).flat()
    expect({
      shown: flat.filter((one) => one === 7).length,
      cut: flat.filter((one) => one === '[cut]').length,
    }).toEqual({ shown: 988, cut: 12 })
  })

  test.each(['\r\n', '\n', '\x1b[31m', '\x7f', '\x9b31m', '\u2028', '\u2029', '\0', '\ud800'])(
    'the character %j forges no line and reaches no terminal',
    (character) => {
      const forged = `a${character}{"status":200}`
      for (const line of [write({ field: forged }), write({ [forged]: 1 }), write({ field: new Error(forged) })]) {
        expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/)
        JSON.parse(line)
      }
      expect(fieldOf(forged)).toBe(forged)
    },
  )

  test('for any field values, a line parses and does not contain values with secret names', () => {
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
      withObjectString: true,
    })
    fc.assert(
      fc.property(values, fc.dictionary(fc.string(), fc.anything()), (value, more) => {
        const line = write({ ...more, value, session: { password: 'hunter2', more: value } })
        expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]|hunter2/)
        expect(JSON.parse(line)).toMatchObject({ status: 200 })
      }),
      { numRuns: runs(20_000) },
    )
  })
})

function fails(): never {
  throw new Error('no')
}

test.each<[string, any, string]>([
  [
    'an invalid list',
    { redact: 'password' },
    'jsonFormat: redact: expected a list of names and patterns, got "password"',
  ],
  [
    'a list with a number',
    { redact: ['a', 7] },
    'jsonFormat: redact: expected a list of names and patterns, got ["a",7]',
  ],
  ['a length of 0', { maxLength: 0 }, 'jsonFormat: maxLength: expected a whole number of characters from 1, got 0'],
  ['an unknown option', { redacted: [] }, 'jsonFormat: redacted: unknown option, did you mean "redact"?'],
])('OP7: refuses %s', (_, options, message) => {
  expect(() => jsonFormat(options)).toThrow(new TypeError(message))
})
