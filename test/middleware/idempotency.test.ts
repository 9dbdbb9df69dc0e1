import { describe, expect, test, vi } from 'vitest'
import { onResponse } from '../../src/kernel/edits.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { type IdempotencyOptions, idempotency } from '../../src/middleware/idempotency.ts'
import { readJson } from '../../src/read/json.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { doors, gate, lateIf } from '../harness.ts'

describe.each(doors)('MX13: idempotency through %s', (_, door) => {
  /** An application that counts how often its handler runs. */
  const make = (
    options: Partial<IdempotencyOptions> = {},
    handler: (ctx: any, ran: number) => any = async (ctx, ran) => json({ ran, body: await readJson(ctx) }, 201),
    before: any[] = [],
  ) => {
    let ran = 0
    const time = { now: 1_000_000 }
    const store = options.store ?? memoryIdempotency({ now: () => time.now })
    const fetch = door({
      use: [...before, idempotency({ scope: () => '', store, ...options })],
      routes: [['*', '/*', (ctx) => handler(ctx, ++ran)]],
      onError: () => text('sorry', 500),
    })
    const ask = async (key: string | undefined, body = '{"a":1}', more: any = {}, path = '/') => {
      const headers = {
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...more.headers,
      }
      return fetch(new Request(`http://localhost${path}`, { method: 'POST', body, ...more, headers }))
    }
    const seen = async (...args: Parameters<typeof ask>) => {
      const response = await ask(...args)
      return {
        status: response.status,
        body: await response.text(),
        replayed: response.headers.get('idempotency-replayed'),
      }
    }
    return { ask, seen, time, count: () => ran }
  }
  const first = { status: 201, body: '{"ran":1,"body":{"a":1}}', replayed: null }
  const again = { status: 201, body: '{"ran":1,"body":{"a":1}}', replayed: 'true' }

  test('MX13: the same request gets the first answer again, and the handler runs once', async () => {
    const { seen, count } = make()
    expect(await seen('k')).toEqual(first)
    expect(await seen('k')).toEqual(again)
    expect(await seen('"k"')).toEqual(again)
    expect(count()).toBe(1)
  })

  test('MX13: fields come again, cookies do not', async () => {
    const { ask } = make({}, () => json(1, 202, { location: '/orders/7', 'set-cookie': 'id=1' }))
    expect((await ask('k')).headers.get('set-cookie')).toBe('id=1')
    const { status, headers } = await ask('k')
    expect({
      status,
      location: headers.get('location'),
      'content-type': headers.get('content-type'),
      'set-cookie': headers.get('set-cookie'),
    }).toEqual({ status: 202, location: '/orders/7', 'content-type': 'application/json', 'set-cookie': null })
  })

  test('MX13: what middleware in front does to the response is done once each time', async () => {
    const wrap = async (_ctx: any, next: any) => {
      const response = await next()
      return json({ in: await response.json() }, response.status)
    }
    const { seen } = make({}, (_, ran) => json(ran), [wrap])
    expect({ answer: await seen('k'), repeated: await seen('k') }).toEqual({
      answer: { status: 200, body: '{"in":1}', replayed: null },
      repeated: { status: 200, body: '{"in":1}', replayed: null },
    })
  })

  test('MX13: a request that runs on after middleware in front has responded keeps its key, and its answer', async () => {
    const [begun, end] = [gate(), gate()]
    const { seen, count } = make(
      {},
      async (_, ran) => {
        begun.open()
        await end.opened
        return json(ran)
      },
      [lateIf(begun.opened)],
    )
    expect((await seen('k', 'x', { headers: { 'x-late': '1' } })).status).toBe(503)
    expect((await seen('k', 'x')).status).toBe(409)
    end.open()
    await vi.waitFor(async () => expect(await seen('k', 'x')).toEqual({ status: 200, body: '1', replayed: 'true' }))
    expect(count()).toBe(1)
  })

  const paid = (): ReadableStream => new Response('paid').body!
  test.each<[string, any, () => any]>([
    ['a text, without returning it', async (_: any, next: any) => void (await next()), () => new Response('paid')],
    ['a stream, without returning it', async (_: any, next: any) => void (await next()), () => new Response(paid())],
    [
      'what is the newest response, which is that of the timeout',
      async (ctx: any, next: any) => {
        await next()
        return ctx.response
      },
      () => text('paid'),
    ],
    ['a copy', async (_: any, next: any) => next().then((one: any) => new Response(one.body, one)), () => text('paid')],
    [
      'a copy of a stream, which it sets',
      async (ctx: any, next: any) => {
        const given = await next()
        ctx.response = new Response(given.body, given)
      },
      () => new Response(paid()),
    ],
  ])('MX13: a late answer is kept whole if inner middleware passes on %s', async (_, inner, answer) => {
    const [begun, end] = [gate(), gate()]
    let payments = 0
    const fetch = door({
      use: [lateIf(begun.opened), idempotency({ scope: () => '', store: memoryIdempotency() }), inner],
      routes: [
        [
          'POST',
          '/',
          async () => {
            payments++
            begun.open()
            await end.opened
            return answer()
          },
        ],
      ],
    })
    const ask = async (more: any) => {
      const headers = { 'idempotency-key': 'k', ...more }
      const response = await fetch(new Request('http://localhost/', { method: 'POST', headers }))
      return {
        status: response.status,
        replayed: response.headers.get('idempotency-replayed'),
        body: await response.text(),
      }
    }
    expect((await ask({ 'x-late': '1' })).status).toBe(503)
    end.open()
    await vi.waitFor(async () => expect(await ask({})).toEqual({ status: 200, replayed: 'true', body: 'paid' }))
    expect(payments).toBe(1)
  })

  test.each([
    ['another host', 'http://other.example/v1/pay'],
    ['another version in the path', 'http://localhost/v2/pay'],
  ])('MX13: the same key for %s is refused with 422', async (_, url) => {
    const fetch = door({
      use: [
        apiVersion({ strategy: 'path', versions: ['1', '2'] }),
        idempotency({ scope: () => '', store: memoryIdempotency() }),
      ],
      routes: [['POST', '/pay', (ctx: any) => text(`${ctx.url.host} ${ctx.state.apiVersion}`)]],
    })
    const ask = async (to: string): Promise<number> =>
      (await fetch(new Request(to, { method: 'POST', headers: { 'idempotency-key': 'k' } }))).status
    expect({ sameUrl: await ask('http://localhost/v1/pay'), otherUrl: await ask(url) }).toEqual({
      sameUrl: 200,
      otherUrl: 422,
    })
  })

  test.each<[string, string, any, string]>([
    ['another body', '{"a":2}', {}, '/'],
    ['another path', '{"a":1}', {}, '/other'],
    ['another query', '{"a":1}', {}, '/?q'],
    ['another method', '{"a":1}', { method: 'PATCH' }, '/'],
    ['another content type', '{"a":1}', { headers: { 'content-type': 'application/x+json' } }, '/'],
  ])('MX13: the same key with %s is refused with 422', async (_, body, more, path) => {
    const { ask, count } = make()
    await ask('k')
    const response = await ask('k', body, more, path)
    expect({ status: response.status, code: (await response.json()).code, count: count() }).toEqual({
      status: 422,
      code: 'idempotency_key_reused',
      count: 1,
    })
  })

  test('MX13: while the first runs, a second is refused with 409', async () => {
    let open!: () => void
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { ask, seen, count } = make({}, async (_ctx, ran) => {
      await gate
      return json({ ran })
    })
    const running = seen('k')
    const started = async (): Promise<void> => {
      while (count() === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await started()
    const response = await ask('k')
    expect({
      status: response.status,
      'retry-after': response.headers.get('retry-after'),
      code: (await response.json()).code,
    }).toEqual({ status: 409, 'retry-after': '1', code: 'idempotency_in_progress' })
    open()
    expect(await running).toEqual({ status: 200, body: '{"ran":1}', replayed: null })
    expect(await seen('k')).toEqual({ status: 200, body: '{"ran":1}', replayed: 'true' })
  })

  test('MX13: of a hundred at once, the handler runs once', async () => {
    const { ask, count } = make({}, async () => json(1))
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await ask('k')).status))
    expect({ count: count(), expectedStatuses: statuses.every((status) => status === 200 || status === 409) }).toEqual({
      count: 1,
      expectedStatuses: true,
    })
  })

  test.each<[string, (ctx: any, ran: number) => any]>([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['answers 503', () => text('busy', 503)],
    ['answers 429', () => text('slow', 429)],
    ['answers 408', () => text('slow', 408)],
    ['answers 425', () => text('early', 425)],
    [
      'answers with a body that breaks off',
      () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) })),
    ],
  ])('MX13: a request that %s may be asked again', async (_, handler) => {
    const { ask, count } = make({}, handler)
    await ask('k')
    await ask('k')
    expect(count()).toBe(2)
  })

  test('MX13: a refusal of the handler is an answer', async () => {
    const { seen, count } = make({}, () => json({ error: 'no' }, 422))
    await seen('k')
    expect({ repeated: await seen('k'), count: count() }).toEqual({
      repeated: { status: 422, body: '{"error":"no"}', replayed: 'true' },
      count: 1,
    })
  })

  test('MX13: what an inner middleware adds comes again', async () => {
    const { ask } = make({}, (ctx) => {
      onResponse(ctx, ['x-inner', 'yes'])
      return json(1)
    })
    await ask('k')
    expect((await ask('k')).headers.get('x-inner')).toBe('yes')
  })

  test('MX13: an answer ends after its time, a lock of a request that never answers too', async () => {
    const { seen, time, count } = make({ maxAge: 100 })
    await seen('k')
    time.now += 99_999
    expect((await seen('k')).replayed).toBe('true')
    time.now += 1
    expect((await seen('k')).replayed).toBeNull()
    expect(count()).toBe(2)
    const stuck = make({ lockSeconds: 10 }, () => new Promise(() => {}))
    void stuck.ask('k')
    while (stuck.count() === 0) await new Promise((resolve) => setImmediate(resolve))
    expect((await stuck.ask('k')).status).toBe(409)
    stuck.time.now += 10_000
    void stuck.ask('k')
    while (stuck.count() === 1) await new Promise((resolve) => setImmediate(resolve))
    expect(stuck.count()).toBe(2)
  })

  test('MX13: another scope has keys of its own', async () => {
    const { ask, count } = make({ scope: (ctx: any) => ctx.header('x-user') ?? '' })
    await ask('k', undefined, { headers: { 'x-user': 'a' } })
    await ask('k', undefined, { headers: { 'x-user': 'b' } })
    expect(count()).toBe(2)
  })

  test('NA6: a scope that gives no text, as of a request without a user, is a 500 and runs nothing', async () => {
    const { ask, count } = make({ scope: (ctx: any) => ctx.state.user })
    expect({ status: (await ask('k')).status, ran: count() }).toEqual({ status: 500, ran: 0 })
  })

  test.each<[string, string | undefined, Partial<IdempotencyOptions>, number, string | undefined]>([
    ['no key', undefined, {}, 201, undefined],
    ['no key where it is required', undefined, { required: true }, 400, 'idempotency_key_missing'],
    ['an empty key', '', {}, 400, 'idempotency_key_malformed'],
    ['empty quotes', '""', {}, 400, 'idempotency_key_malformed'],
    ['one quote', '"a', {}, 400, 'idempotency_key_malformed'],
    ['the longest key', 'x'.repeat(255), {}, 201, undefined],
    ['a key that is too long', 'x'.repeat(256), {}, 400, 'idempotency_key_malformed'],
    ['two keys', 'a, b', {}, 400, 'idempotency_key_malformed'],
  ])('MX13: %s', async (_, key, options, status, code) => {
    const response = await make(options).ask(key)
    expect({ status: response.status, code: (await response.json()).code }).toEqual({ status, code })
  })

  test.each([
    [undefined, { required: true }, 'Idempotency-Key is missing'],
    ['a, b', {}, 'Idempotency-Key is malformed'],
  ])('MX13: the refusal of %j', async (key, options, error) => {
    expect((await (await make(options).ask(key)).json()).error).toBe(error)
  })

  test.each([
    [`"${'x'.repeat(255)}"`, 201],
    [`"${'x'.repeat(256)}"`, 400],
    ['"a b"', 201],
    ['a\\b', 400],
  ])('MX13: the key %s gives %i', async (key, status) => {
    expect((await make().ask(key)).status).toBe(status)
  })

  test('MX13: what the store is asked, before the response leaves', async () => {
    const calls: unknown[][] = []
    const later = async (...call: unknown[]): Promise<undefined> => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      calls.push(call)
    }
    const marks = new Set<string>()
    const store = {
      take: (_: string, mark: string, seconds: number) => {
        marks.add(mark)
        return later('take', seconds)
      },
      replace: (_: string, __: string, ___: string, seconds: number) => later('replace', seconds),
      release: () => later('release'),
    }
    await make({ store }).ask('k')
    expect(calls.splice(0)).toEqual([
      ['take', 60],
      ['replace', 86_400],
    ])
    await make({ store }, () => text('later', 429)).ask('k')
    expect(calls.splice(0)).toEqual([['take', 60], ['release']])
    await make({ store, lockSeconds: 1, maxAge: 1 }).ask('k')
    expect(calls).toEqual([
      ['take', 1],
      ['replace', 1],
    ])
    // A process that lost its lock must not remove that of another one
    expect(marks.size).toBe(3)
  })

  test('MX13: a scope that is looked up', async () => {
    const { ask, count } = make({ scope: async (ctx: any) => ctx.header('x-user') ?? '' })
    for (const user of ['a', 'b']) await ask('k', undefined, { headers: { 'x-user': user } })
    expect(count()).toBe(2)
  })

  test('MX13: an answer of 32 KiB is kept, and one byte more is not', async () => {
    for (const [length, status] of [
      [32_768, 200],
      [32_769, 409],
    ] as const) {
      const { ask } = make({}, () => text('x'.repeat(length)))
      await ask('k')
      expect((await ask('k')).status).toBe(status)
    }
  })

  test('MX13: fields of one transmission do not come again', async () => {
    const own = {
      date: 'Mon, 23 Nov 2026 00:00:00 GMT',
      connection: 'close',
      'keep-alive': 'timeout=1',
      'transfer-encoding': 'chunked',
    }
    const { ask } = make({}, () => text('x', 200, { ...own, 'content-length': '1', 'x-kept': '1' }))
    await ask('k')
    const { headers } = await ask('k')
    for (const name of Object.keys(own)) expect({ name, value: headers.get(name) }).toEqual({ name, value: null })
    expect(headers.get('x-kept')).toBe('1')
  })

  test('MX13: a PUT is idempotent by itself', async () => {
    const { ask, count } = make()
    await ask('k', undefined, { method: 'PUT' })
    await ask('k', undefined, { method: 'PUT' })
    expect(count()).toBe(2)
  })

  test('MX13: an answer that is too long is sent, and not run again', async () => {
    const { seen, count } = make({}, (_ctx, ran) => text('x'.repeat(ran === 1 ? 32_769 : 0)))
    expect(await seen('k')).toEqual({ status: 200, body: 'x'.repeat(32_769), replayed: null })
    const { status, body } = await seen('k')
    expect({ status, code: JSON.parse(body).code, count: count() }).toEqual({
      status: 409,
      code: 'idempotency_response_lost',
      count: 1,
    })
  })

  test('MX13: an answer without a body is repeated', async () => {
    const { seen } = make({}, () => new Response(null, { status: 204 }))
    expect({ answer: await seen('k'), repeated: await seen('k') }).toEqual({
      answer: { status: 204, body: '', replayed: null },
      repeated: { status: 204, body: '', replayed: 'true' },
    })
  })

  test.each<[string, any]>([
    ['replace', { take() {}, replace: () => Promise.reject(new Error('down')), release() {} }],
    ['release', { take() {}, replace() {}, release: () => Promise.reject(new Error('down')) }],
  ])(
    'MX13: the response is sent, short or long, and the error reported, if the %s of the store fails',
    async (failing, store) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      const status = failing === 'release' ? 503 : 201
      for (const size of [2, 200_000]) {
        const stream = new Response('x'.repeat(size)).body
        for (const body of ['x'.repeat(size), stream]) {
          const { seen } = make({ store }, () => new Response(body, { status }))
          expect(await seen('k')).toEqual({ status, body: 'x'.repeat(size), replayed: null })
        }
      }
      expect(printed.mock.calls).toEqual(Array(4).fill([new Error('down')]))
      printed.mockRestore()
    },
  )

  test('MX13: bytes stay as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const { ask } = make({}, () => new Response(bytes))
    expect(new Uint8Array(await (await ask('k')).arrayBuffer())).toEqual(bytes)
    expect(new Uint8Array(await (await ask('k')).arrayBuffer())).toEqual(bytes)
  })
})

test.each<[string, any, RegExp]>([
  ['no store', {}, /^idempotency: store: expected a store, got undefined$/],
  [
    'NA6: no scope, without which one client gets the responses of another',
    { store: memoryIdempotency(), scope: undefined },
    /^idempotency: scope: expected a function such as \(ctx\) => ctx\.state\.user\.id, or \(\) => '' .*, got undefined$/,
  ],
  [
    'an age',
    { store: memoryIdempotency(), maxAge: 0 },
    /^idempotency: maxAge: expected a whole number of seconds from 1/,
  ],
  [
    'methods',
    { store: memoryIdempotency(), methods: 'POST' },
    /^idempotency: methods: expected a list of methods, upper case, got "POST"$/,
  ],
  [
    'methods in lower case, which no request has',
    { store: memoryIdempotency(), methods: ['post'] },
    /^idempotency: methods: expected a list of methods, upper case, got \["post"\]$/,
  ],
  [
    'a lock',
    { store: memoryIdempotency(), lockSeconds: 0 },
    /^idempotency: lockSeconds: expected a whole number of seconds from 1, got 0$/,
  ],
  ['an unknown option', { store: memoryIdempotency(), ttl: 1 }, /^idempotency: ttl: unknown option/],
])('MX13: refuses %s', (_, options, message) => {
  expect(() => idempotency({ scope: () => '', ...options })).toThrow(message)
})
