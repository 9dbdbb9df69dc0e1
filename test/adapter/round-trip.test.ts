import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toLambdaHandler } from '../../src/adapter/aws-lambda.ts'
import { runs } from '../fuzz.ts'
import { decode, encode, formats, recorded, seen } from './events.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const token = fc.stringMatching(/^x-[a-z0-9-]{1,10}$/)
/** What a client can send as a value: no space at either end, since parsers drop it. */
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/)
const pairs = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom('a', 'b', '__proto__')), text), { maxLength: 6 })
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  text.map((given) => new TextEncoder().encode(given)),
)

const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    segments: fc.array(text, { maxLength: 4 }),
    query: pairs,
    fields: fc.array(fc.tuple(token, value), { maxLength: 5 }),
    cookies: fc.array(fc.stringMatching(/^[a-z]{1,5}=[a-z0-9]{0,5}$/), { maxLength: 3 }),
    body: bytes,
  })
  .map(({ method, segments, query, fields, cookies, body }) => {
    const headers = new Headers({ 'content-type': 'application/octet-stream' })
    for (const [name, one] of fields) headers.append(name, one)
    if (cookies.length) headers.set('cookie', cookies.join('; '))
    const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('') || '/'
    const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const init = { method, headers, ...(method !== 'GET' && body.length && { body: new Uint8Array(body) }) }
    return new Request(`https://h.example${path}${search && `?${search}`}`, init)
  })

/** Values by name: what platforms keep of the order. */
const byName = (search: URLSearchParams): [string, string[]][] =>
  [...new Set(search.keys())].sort().map((name) => [name, search.getAll(name)])

const lastOnly = (lists: [string, string[]][]): [string, string[]][] =>
  lists.map(([name, values]) => [name, values.slice(-1)])

const fieldsOf = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => name !== 'host' && name !== 'x-forwarded-proto')

describe('OP5: a random request survives its event', () => {
  test.each(formats)('OP5: in the format %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const got = (await seen(await encode(sent, format)))!
        const from = new URL(sent.url)
        const to = new URL(got.request.url)
        expect({ method: got.request.method, origin: to.origin, pathname: to.pathname }).toEqual({
          method: sent.method,
          origin: from.origin,
          pathname: from.pathname,
        })
        const query = byName(from.searchParams)
        expect(byName(to.searchParams)).toEqual(format === 'alb' ? lastOnly(query) : query)
        if (format === 'v2') expect(got.request.url).toBe(sent.url)
        expect(fieldsOf(got.request.headers).map(([name, one]) => [name, one.replaceAll(', ', ',')])).toEqual(
          fieldsOf(sent.headers).map(([name, one]) => [name, one.replaceAll(', ', ',')]),
        )
        expect(got.bytes).toEqual(new Uint8Array(await sent.clone().arrayBuffer()))
      }),
      { numRuns: runs(4_000) },
    )
  })

  test('OP5: a decoded path means the same afterwards', async () => {
    const segment = text.filter((given) => given !== '' && !/^\.{1,2}$|\/|%[\da-f]{2}/i.test(given))
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 4 }), async (segments) => {
        const event = { ...recorded('http-api-2.0'), rawPath: `/${segments.join('/')}` }
        const { pathname } = new URL((await seen(event))!.request.url)
        expect(pathname.slice(1).split('/').map(decodeURIComponent)).toEqual(segments)
      }),
      { numRuns: runs(4_000) },
    )
  })
})

describe('OP5: a random answer survives its result', () => {
  const answer = fc.record({
    status: fc.oneof(fc.constantFrom(200, 201, 404, 500), fc.integer({ min: 200, max: 599 })),
    fields: fc.uniqueArray(fc.tuple(token, value), { maxLength: 5, selector: ([name]) => name }),
    cookies: fc.array(value, { maxLength: 4 }),
    body: bytes,
  })
  test.each(formats)('OP5: in the format %s', async (format) => {
    const event = await encode(new Request('https://h.example/'), format)
    await fc.assert(
      fc.asyncProperty(answer, async ({ status, fields, cookies, body }) => {
        const headers = new Headers(fields)
        for (const cookie of cookies) headers.append('set-cookie', cookie)
        const bodiless = [204, 205, 304].includes(status) || !body.length
        const make = () => new Response(bodiless ? null : new Uint8Array(body), { status, headers })
        const result = await toLambdaHandler(make)(event)
        const got = decode(JSON.parse(JSON.stringify(result)))
        expect({ status: got.status, headers: [...got.headers] }).toEqual({ status, headers: [...headers] })
        expect(new Uint8Array(await got.arrayBuffer())).toEqual(new Uint8Array(await make().arrayBuffer()))
      }),
      { numRuns: runs(4_000) },
    )
  })
})

test('OP5: an event of any shape is a request, a refusal or a clear error, and never a crash', async () => {
  const log = console.error
  console.error = () => {}
  try {
    const event = fc.oneof(
      fc.anything(),
      fc.record(
        {
          version: fc.anything(),
          httpMethod: fc.oneof(fc.constantFrom('GET', 'POST'), fc.anything()),
          path: fc.anything(),
          rawPath: fc.anything(),
          rawQueryString: fc.anything(),
          cookies: fc.anything(),
          headers: fc.anything(),
          multiValueHeaders: fc.anything(),
          queryStringParameters: fc.anything(),
          requestContext: fc.oneof(fc.constantFrom({ elb: {} }, { http: { method: 'PUT' } }), fc.anything()),
          body: fc.anything(),
          isBase64Encoded: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(event, async (given) => {
        const outcome = await toLambdaHandler(() => new Response('ok'))(given as never).catch((error) => error)
        if (outcome instanceof Error) expect(outcome.message).toContain('toLambdaHandler: event: expected a request')
        else expect([200, 400]).toContain(outcome.statusCode)
      }),
      { numRuns: runs(10_000) },
    )
  } finally {
    console.error = log
  }
})
