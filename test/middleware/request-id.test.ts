import { describe, expect, test } from 'vitest'
import { logger } from '../../src/middleware/logger.ts'
import { type RequestIdOptions, requestId } from '../../src/middleware/request-id.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

describe.each(doors)('MX5: requestId through %s', (_, door) => {
  const ask = async (sent: string | undefined, options: RequestIdOptions = {}, path = '/') => {
    const fetch = door({
      use: [requestId(options)],
      routes: [
        ['GET', '/', (ctx) => text(ctx.state.requestId)],
        ['GET', '/error', () => Promise.reject(new Error('broken'))],
      ],
      onError: () => text('sorry', 500),
    })
    const header = options.header ?? 'x-request-id'
    const response = await fetch(
      new Request(`http://localhost${path}`, sent === undefined ? {} : { headers: { [header]: sent } }),
    )
    return { header: response.headers.get(header), body: await response.text() }
  }
  const create = () => 'made'

  test.each<[string, string | undefined, RequestIdOptions, string]>([
    ['a client is not believed', 'job-17', { create }, 'made'],
    ['a safe id is taken with trust', 'job-17_a.b~c', { create, trust: true }, 'job-17_a.b~c'],
    ['no id is sent', undefined, { create, trust: true }, 'made'],
    ['an id with a space is replaced', 'job 17', { create, trust: true }, 'made'],
    ['an id with a quote is replaced', 'job"17', { create, trust: true }, 'made'],
    ['an id of the longest length is taken', 'x'.repeat(128), { create, trust: true }, 'x'.repeat(128)],
    ['an id one character too long is replaced', 'x'.repeat(129), { create, trust: true }, 'made'],
    ['another field', 'a', { create, trust: true, header: 'X-Trace' }, 'a'],
    ['a function that trusts', 'a', { create, trust: (ctx) => ctx.method === 'GET' }, 'a'],
    ['a function that does not', 'a', { create, trust: () => false }, 'made'],
  ])('MX5: %s', async (_, sent, options, expected) => {
    expect(await ask(sent, options)).toEqual({ header: expected, body: expected })
  })

  test('MX5: an error and an unmatched path have the id as well', async () => {
    expect((await ask(undefined, { create }, '/error')).header).toBe('made')
    expect((await ask(undefined, { create }, '/none')).header).toBe('made')
  })

  test('MX5: by default each request has its own UUID', async () => {
    const one = (await ask(undefined)).header
    const other = (await ask(undefined)).header
    expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(one).not.toBe(other)
  })

  test.each(['a\r\nx: b', undefined])(
    'MX5: what create returns is a field value, or an error of the application: %j',
    async (id) => {
      expect(await ask('a', { create: () => id as string })).toEqual({ header: null, body: 'sorry' })
    },
  )

  test('MX5: the logger prints it', async () => {
    const lines: string[] = []
    const fetch = door({
      use: [logger({ format: 'json', log: (line) => void lines.push(line) }), requestId({ create })],
      routes: [['GET', '/', () => text('x')]],
    })
    await fetch('/')
    expect(JSON.parse(lines[0]!)).toMatchObject({ requestId: 'made' })
  })
})

test.each<[string, any, string]>([
  ['an unknown option', { trusted: true }, 'requestId: trusted: unknown option, did you mean "trust"?'],
  ['a trust', { trust: 'yes' }, 'requestId: trust: expected a boolean or a function, got "yes"'],
  ['a trust that is true but no boolean', { trust: 1n }, 'requestId: trust: expected a boolean or a function, got 1'],
  ['a field name', { header: 'a b' }, 'requestId: header: expected a field name, got "a b"'],
])('MX5: refuses %s', (_, options, message) => {
  expect(() => requestId(options)).toThrow(new TypeError(message))
})
