import { describe, expect, test, vi } from 'vitest'
import { type LambdaEvent, toLambdaHandler } from '../../src/adapter/aws-lambda.ts'
import { createApp } from '../../src/app.ts'
import { clientAddress } from '../../src/client-address.ts'
import { decode, encode, type formats, recorded, seen } from './events.ts'

const ask = async (event: LambdaEvent, app = createApp().all('/*', (ctx) => ctx.text(ctx.path))) =>
  toLambdaHandler(app)(event)

describe('OP5: recorded events become requests', () => {
  test.each([
    [
      'rest-api',
      'POST https://gy415nuibc.execute-api.us-east-1.amazonaws.com/hello/world?name=me&multivalueName=you&multivalueName=me',
      { headername: 'headerValue', 'x-forwarded-for': '54.240.196.186, 54.182.214.83' },
      '{\r\n\t"a": 1\r\n}',
      '192.168.196.186',
    ],
    [
      'http-api-1.0',
      'GET https://id.execute-api.us-east-1.amazonaws.com/my/path?parameter1=value1&parameter1=value2&parameter2=value',
      { header1: 'value1', header2: 'value1, value2' },
      '',
      'IP',
    ],
    [
      'http-api-2.0',
      'POST https://id.execute-api.us-east-1.amazonaws.com/my/path?parameter1=value1&parameter1=value2&parameter2=value',
      { header1: 'value1', header2: 'value1,value2', cookie: 'cookie1; cookie2' },
      'Hello from Lambda',
      'IP',
    ],
    [
      'function-url',
      'POST https://localhost/my/path?parameter1=value1&parameter1=value2&parameter2=value',
      { header1: 'value1', cookie: 'cookie1; cookie2' },
      'Hello from client!',
      '123.123.123.123',
    ],
    [
      'alb',
      'GET http://lambda-alb-123578498.us-east-2.elb.amazonaws.com/lambda?query=1234ABCD',
      { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8' },
      '',
      undefined,
    ],
    ['alb-health-check', 'GET http://localhost/', { 'user-agent': 'ELB-HealthChecker/2.0' }, '', undefined],
    [
      'alb-lists',
      'GET https://lambda-846800462-us-east-2.elb.amazonaws.com/?myKey=val1&myKey=val2',
      { cookie: 'name1=value1; name2=value2', 'accept-language': 'en-US,en;q=0.8' },
      '',
      undefined,
    ],
    [
      'http-api-mutual-tls',
      'GET https://aaaaaaaaaa.execute-api.us-west-2.amazonaws.com/',
      { 'content-length': '0' },
      '',
      '192.0.2.1',
    ],
    [
      'function-url-curl',
      'POST https://fcodhubyw.lambda-url.ap-northeast-1.on.aws/',
      { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      'hello',
      '192.0.2.1',
    ],
    [
      'function-url-base64',
      'POST https://fcodhubyw.lambda-url.ap-northeast-1.on.aws/',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'hello',
      '192.0.2.1',
    ],
    ['stage-in-raw-path', 'GET https://xxxxxxxx.execute-api.us-east-1.amazonaws.com/agents/1234', {}, '', '192.0.2.1'],
  ])('OP5: %s', async (name, line, headers, body, peer) => {
    const { request, execution, bytes } = (await seen(recorded(name)))!
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(Object.fromEntries(request.headers)).toMatchObject(headers)
    expect(new TextDecoder().decode(bytes)).toBe(body)
    expect(execution?.peer).toBe(peer)
  })

  test('OP5: the event and the context of Lambda are in ctx.env', async () => {
    const event = recorded('http-api-2.0')
    const context = { awsRequestId: 'id' }
    const app = createApp().post('/my/path', (ctx) => ctx.json([ctx.env.event === event, ctx.env.context === context]))
    expect((await toLambdaHandler(app)(event, context)).body).toBe('[true,true]')
  })

  test.each([
    ['the address of requestContext', 'rest-api', {}, '192.168.196.186'],
    ['not that of a field', 'http-api-2.0', { 'x-forwarded-for': '203.0.113.9' }, 'IP'],
    ['nothing at a load balancer', 'alb', {}, 'undefined'],
  ])('OP5: clientAddress gives %s', async (_, name, headers, address) => {
    const event = recorded(name)
    const app = createApp().all('/*', (ctx) => ctx.text(`${clientAddress(ctx)}`))
    expect((await ask({ ...event, headers: { ...event.headers, ...headers } }, app)).body).toBe(address)
  })

  test('OP5: a load balancer counts as one proxy: its own entry is believed, and no other', async () => {
    const event = recorded('alb')
    const headers = { ...event.headers, 'x-forwarded-for': '203.0.113.9, 72.12.164.125' }
    const app = createApp().all('/*', (ctx) => ctx.text(`${clientAddress(ctx, { trustProxy: 1 })}`))
    expect((await ask({ ...event, headers }, app)).body).toBe('72.12.164.125')
  })
})

describe('OP5: paths', () => {
  const v2 = (rawPath: string, stage = '$default'): LambdaEvent => ({
    version: '2.0',
    rawPath,
    requestContext: { http: { method: 'GET' }, stage },
  })
  const v1 = (path: string, version?: string, domainName = 'id.execute-api.eu-west-1.amazonaws.com'): LambdaEvent => ({
    ...(version && { version }),
    path,
    httpMethod: 'GET',
    requestContext: { stage: 'prod', domainName },
  })
  test.each([
    ['a named stage is cut off', v2('/prod/users', 'prod'), '/users'],
    ['a stage alone is the root', v2('/prod', 'prod'), '/'],
    ['a longer name is not the stage', v2('/production', 'prod'), '/production'],
    ['only one stage is cut off', v2('/prod/prod', 'prod'), '/prod'],
    ['$default never stands in a path', v2('/$default/users'), '/$default/users'],
    ['a REST API has cut its stage off itself', v1('/prod/users'), '/prod/users'],
    ['an HTTP API in format 1.0 has not', v1('/prod/users', '1.0'), '/users'],
    ['but on its own domain it has the mapping there', v1('/prod/users', '1.0', 'api.example.com'), '/prod/users'],
    ['an escaped slash stays escaped', v2('/a%2Fb'), '/a%2Fb'],
    ['a decoded space', v2('/a b'), '/a%20b'],
    ['a decoded question mark is part of the path', v2('/a?b'), '/a%3Fb'],
    ['a decoded hash is part of the path', v2('/a#b'), '/a%23b'],
    ['a decoded backslash is no slash', v2('/a\\b'), '/a%5Cb'],
    ['a percent sign that escapes nothing', v2('/100%'), '/100%25'],
    ['a line end is not left out', v2('/a\nb'), '/a%0Ab'],
    ['dots lead no higher than the root', v2('/../../etc'), '/etc'],
    ['two slashes name no host', v2('//evil.example/x'), '//evil.example/x'],
    ['none at all', { httpMethod: 'GET' }, '/'],
  ])('OP5: %s', async (_, event, path) => {
    expect(new URL((await seen(event))!.request.url).pathname).toBe(path)
  })

  test('OP5: a path of a million characters', async () => {
    const path = `/${'%'.repeat(500_000)}${'?'.repeat(500_000)}`
    expect(new URL((await seen(v2(path)))!.request.url).pathname).toHaveLength(1 + 3_000_000)
  })

  test.each([
    ['v1 gives it decoded', { httpMethod: 'GET', queryStringParameters: { 'a b': 'c&d=é' } }, [['a b', 'c&d=é']]],
    ['v1 with a value of nothing', { httpMethod: 'GET', queryStringParameters: { flag: '' } }, [['flag', '']]],
    [
      'v2 gives it raw',
      { ...v2('/'), rawQueryString: 'a+b=c%26d&a+b=2' },
      [
        ['a b', 'c&d'],
        ['a b', '2'],
      ],
    ],
    [
      'a load balancer leaves it encoded',
      { httpMethod: 'GET', requestContext: { elb: {} }, queryStringParameters: { 'a%20b': 'c%26d' } },
      [['a b', 'c&d']],
    ],
    [
      'a raw hash does not end it',
      { ...v2('/'), rawQueryString: 'a=1#&b=2' },
      [
        ['a', '1#'],
        ['b', '2'],
      ],
    ],
  ])('OP5: query: %s', async (_, event, pairs) => {
    expect([...new URL((await seen(event as LambdaEvent))!.request.url).searchParams]).toEqual(pairs)
  })
})

describe('OP5: answers in the format of the event', () => {
  const app = createApp()
    .all('/cookies', () => {
      const headers = new Headers({ 'content-type': 'text/plain', 'transfer-encoding': 'chunked', vary: 'Origin' })
      headers.append('set-cookie', 'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT')
      headers.append('set-cookie', 'b=2')
      return new Response('hello', { headers, statusText: 'OK' })
    })
    .all('/one', () => new Response('', { status: 201, headers: { 'set-cookie': 'a=1' } }))
    .all(
      '/bytes',
      () => new Response(new Uint8Array([0xff, 0xd8, 0x00]), { headers: { 'content-type': 'image/jpeg' } }),
    )
    .all('/mark', () => new Response('\ufeffé'))
    .all(
      '/latin',
      () => new Response(new Uint8Array([0xe9]), { headers: { 'content-type': 'text/plain; charset=latin1' } }),
    )
  const answer = async (path: string, format: (typeof formats)[number]) =>
    toLambdaHandler(app)(await encode(new Request(`https://h.example${path}`), format))
  const cookies = ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2']
  const headers = { 'content-type': 'text/plain', vary: 'Origin' }
  const body = { body: 'hello', isBase64Encoded: false, statusCode: 200 }

  test.each([
    ['v1', { ...body, headers, multiValueHeaders: { 'set-cookie': cookies } }],
    ['v2', { ...body, headers, cookies }],
    [
      'alb',
      {
        ...body,
        statusDescription: '200 OK',
        headers: { ...headers, 'set-cookie': cookies[0], 'Set-cookie': cookies[1] },
      },
    ],
    [
      'alb-lists',
      {
        ...body,
        statusDescription: '200 OK',
        multiValueHeaders: { 'content-type': ['text/plain'], vary: ['Origin'], 'set-cookie': cookies },
      },
    ],
  ] as const)('OP5: cookies in %s, and no fields of the connection', async (format, result) => {
    expect(await answer('/cookies', format)).toEqual(result)
  })

  test('OP5: every cookie has a name of its own for a load balancer without lists', async () => {
    const many = createApp().all('/*', () => {
      const response = new Response(null)
      for (let index = 0; index < 100; index++) response.headers.append('set-cookie', `c${index}=1`)
      return response
    })
    const result = await ask(recorded('alb'), many)
    const names = Object.keys(result.headers ?? {})
    expect(names).toHaveLength(100)
    expect(new Set(names.map((name) => name.toLowerCase()))).toEqual(new Set(['set-cookie']))
  })

  test.each([
    ['bytes that are no text', '/bytes', '/9gA', true],
    ['a text with a byte order mark', '/mark', '\ufeffé', false],
    ['a text in another charset', '/latin', '6Q==', true],
    ['nothing', '/one', '', false],
  ])('OP5: the body: %s', async (_, path, text, isBase64Encoded) => {
    expect(await answer(path, 'v2')).toMatchObject({ body: text, isBase64Encoded })
  })

  test('OP5: a large body in base64 is whole', async () => {
    const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => (index * 7919) >> 3)
    const result = await ask(
      recorded('alb'),
      createApp().all('/*', () => new Response(bytes)),
    )
    expect(new Uint8Array(await decode(result).arrayBuffer())).toEqual(bytes)
  })
})

describe('OP5: work after the answer, and failures', () => {
  test('OP5: the answer waits for promises of waitUntil, those that they add included', async () => {
    const done: string[] = []
    const later = (name: string) => new Promise<void>((resolve) => setTimeout(() => resolve(void done.push(name)), 5))
    const app = createApp().all('/*', (ctx) => {
      ctx.waitUntil(later('first').then(() => ctx.waitUntil(later('second'))))
      return ctx.text('answer')
    })
    expect((await ask(recorded('alb'), app)).body).toBe('answer')
    expect(done).toEqual(['first', 'second'])
  })

  test('OP5: a promise that never settles costs no more than the time that Lambda gives', async () => {
    const app = createApp().all('/*', (ctx) => {
      ctx.waitUntil(new Promise(() => {}))
      return ctx.text('answer')
    })
    const left = { getRemainingTimeInMillis: () => 510 }
    expect((await toLambdaHandler(app)(recorded('alb'), left)).body).toBe('answer')
  })

  const failing = {
    'a handler that throws': createApp().all('/*', () => {
      throw new Error('secret')
    }),
    'a plain function that throws': () => {
      throw new Error('secret')
    },
    'a plain function that rejects': () => Promise.reject(new Error('secret')),
    'a body that fails': () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new Error('secret')),
        }),
      ),
    'what is no response': () => 'secret' as never,
  }
  test.each(Object.entries(failing))('OP5: %s is a 500 that says nothing', async (_, app) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const result = await toLambdaHandler(app)(recorded('rest-api'))
    expect(result).toMatchObject({ statusCode: 500, body: '{"error":"Internal Server Error"}' })
    expect(log).toHaveBeenCalled()
    log.mockRestore()
  })

  test.each([
    ['a queue', { Records: [{ body: 'password' }] }, '["Records"]'],
    ['a schedule', { source: 'aws.events', detail: {} }, '["source","detail"]'],
    ['nothing', null, '[]'],
    ['a text', 'event', '["0","1","2","3","4"]'],
  ])('OP5: the event of %s is an error that names its fields and no value', async (_, event, got) => {
    await expect(toLambdaHandler(createApp())(event as never)).rejects.toThrow(
      `toLambdaHandler: event: expected a request of API Gateway, a load balancer or a function URL, got ${got}`,
    )
  })

  const v1 = { httpMethod: 'POST', path: '/' }
  test.each([
    ['invalid base64', { ...v1, body: 'a-b_c!', isBase64Encoded: true }],
    ['base64 of a length that cannot be', { ...v1, body: 'aaaaa', isBase64Encoded: true }],
    ['a field name with a line end', { ...v1, headers: { 'a\r\nb': 'c' } }],
    ['a field value with a line end', { ...v1, headers: { a: 'b\r\nset-cookie: c' } }],
    ['a host with a path', { ...v1, headers: { host: 'h.example/evil' } }],
    ['two hosts', { ...v1, multiValueHeaders: { host: ['a.example', 'b.example'] } }],
    ['a method that Fetch forbids', { httpMethod: 'TRACE' }],
    ['an invalid method', { httpMethod: 'GET /' }],
  ])('OP5: %s is a 400', async (_, event) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await ask(event as never)).toMatchObject({ statusCode: 400, body: '{"error":"Bad Request"}' })
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })

  test('OP5: names of prototypes are fields like others', async () => {
    const event = JSON.parse(
      '{"httpMethod":"GET","path":"/","headers":{"__proto__":"a","constructor":"b"},"queryStringParameters":{"__proto__":"c"}}',
    )
    const { request } = (await seen(event))!
    expect({ __proto__: request.headers.get('__proto__'), constructor: request.headers.get('constructor') }).toEqual({
      __proto__: 'a',
      constructor: 'b',
    })
    expect(new URL(request.url).search).toBe('?__proto__=c')
    expect(({} as any).polluted).toBeUndefined() // any: asks for what must not be there
  })

  test('OP5: an answer with a field of that name', async () => {
    const app = createApp().all('/*', () => new Response(null, { headers: [['__proto__', 'a']] }))
    expect(JSON.stringify((await ask(recorded('alb'), app)).headers)).toBe('{"__proto__":"a"}')
  })

  test.each([undefined, null, 5, {}, { fetch: 'no' }])('OP5: %j is no application', (app) => {
    expect(() => toLambdaHandler(app as never)).toThrow('toLambdaHandler: app: expected an application or a function')
  })
})
