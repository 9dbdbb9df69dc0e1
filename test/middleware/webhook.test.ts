import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { type WebhookOptions, webhook } from '../../src/middleware/webhook.ts'
import { readText } from '../../src/read/text.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { doors, gate, lateIf } from '../harness.ts'

const NOW = 1_800_000_000
const now = () => NOW * 1000
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const library = new Webhook(secret)

const standard = (body: string, id = 'msg_1', seconds = NOW, signer = library, name = 'webhook') => ({
  [`${name}-id`]: id,
  [`${name}-timestamp`]: `${seconds}`,
  [`${name}-signature`]: signer.sign(id, new Date(seconds * 1000), body),
})
const hmac = (key: string, content: string) => createHmac('sha256', key).update(content).digest('hex')
const stripe = (body: string, seconds = NOW, key = 'whsec_stripe') => ({
  'stripe-signature': `t=${seconds},v1=${hmac(key, `${seconds}.${body}`)},v0=00`,
})

describe.each(doors)('MX14: webhook through %s', (_, door) => {
  const make = (options: Partial<WebhookOptions>, handler?: (ctx: any) => any, before: any[] = []) => {
    const fetch = door({
      use: [...before, webhook({ scheme: 'standard', secret, now, ...options })],
      routes: [
        ['POST', '/', handler ?? (async (ctx) => json({ id: ctx.state.webhook.id, text: await readText(ctx) }))],
      ],
    })
    return async (body: string, headers: Record<string, string>) => {
      const response = await fetch(new Request('http://localhost/', { method: 'POST', body, headers }))
      return { status: response.status, body: await response.json().catch(() => null) }
    }
  }
  const body = '{"id":"evt_1","ü":1}'
  const invalid = { status: 401, body: { error: 'Invalid signature' } }
  const missing = { status: 401, body: { error: 'Missing signature' } }
  const old = { status: 401, body: { error: 'Signature is too old' } }

  test('MX14: a message that is still handled after middleware in front has responded is not handled again', async () => {
    const [begun, end] = [gate(), gate()]
    let count = 0
    const ask = make({ store: memoryIdempotency() }, async () => {
      count++
      begun.open()
      await end.opened
      return json('done')
    }, [lateIf(begun.opened)])
    expect((await ask(body, { ...standard(body), 'x-late': '1' })).status).toBe(503)
    expect((await ask(body, standard(body))).status).toBe(409)
    end.open()
    await vi.waitFor(async () =>
      expect(await ask(body, standard(body))).toEqual({ status: 200, body: { received: true, duplicate: true } }),
    )
    expect(count).toBe(1)
  })

  test('MX14: the published vector of Standard Webhooks', async () => {
    const ask = make({ now: () => 1_614_265_330_000 })
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    expect(await ask('{"test": 2432232314}', headers)).toEqual({
      status: 200,
      body: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', text: '{"test": 2432232314}' },
    })
    expect(await ask('{"test": 2432232315}', headers)).toEqual(invalid)
  })

  test.each([Number.NaN, undefined, Promise.resolve(NOW)])('MX14: no message is young at the time %s', async (time) => {
    expect(await make({ now: () => time as number })(body, standard(body))).toEqual(old)
  })

  test('MX14: the published vector of GitHub', async () => {
    const ask = make({ scheme: 'github', secret: "It's a Secret to Everybody" })
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    expect((await ask('Hello, World!', { 'x-hub-signature-256': signature })).status).toBe(200)
    expect(await ask('Hello, World.', { 'x-hub-signature-256': signature })).toEqual(invalid)
    expect(await ask('Hello, World!', { 'x-hub-signature-256': signature.slice(0, -1) })).toEqual(missing)
    expect(await ask('Hello, World!', { 'x-hub-signature': signature })).toEqual(missing)
    for (const wrong of [`x${signature}`, `${signature}0`, `sha256=0${signature.slice(7)}`, 'sha256=', 'sha256'])
      expect(await ask('Hello, World!', { 'x-hub-signature-256': wrong })).toEqual(missing)
    const upper = `sha256=${signature.slice(7).toUpperCase()}`
    const {
      status,
      body: { id },
    } = await ask('Hello, World!', { 'x-hub-signature-256': upper })
    expect({ status, id }).toEqual({ status: 200, id: expect.stringMatching(/^[\w-]{40,}$/) })
  })

  test.each<[string, () => Record<string, string>, unknown]>([
    ['a request that the library has signed', () => standard(body), { status: 200, body: { id: 'msg_1', text: body } }],
    ['the oldest message', () => standard(body, 'm', NOW - 300), { status: 200, body: { id: 'm', text: body } }],
    ['one second older', () => standard(body, 'm', NOW - 301), old],
    [
      'the clock of the sender ahead',
      () => standard(body, 'm', NOW + 300),
      { status: 200, body: { id: 'm', text: body } },
    ],
    ['too far ahead', () => standard(body, 'm', NOW + 301), old],
    ['another secret', () => standard(body, 'm', NOW, new Webhook('c2VjcmV0IHRoYXQgaXMgbm90IHRoaXM=')), invalid],
    ['another id', () => ({ ...standard(body), 'webhook-id': 'm2' }), invalid],
    ['another time', () => ({ ...standard(body), 'webhook-timestamp': `${NOW - 1}` }), invalid],
    [
      'a second signature that is right',
      () => {
        const headers = standard(body)
        return { ...headers, 'webhook-signature': `v1,${btoa('x'.repeat(32))} v2,abc ${headers['webhook-signature']}` }
      },
      { status: 200, body: { id: 'msg_1', text: body } },
    ],
    [
      'a version that is not known',
      () => {
        const headers = standard(body)
        return { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1', 'v2') }
      },
      missing,
    ],
    [
      'a right signature behind a thousand wrong ones',
      () => {
        const headers = standard(body)
        return {
          ...headers,
          'webhook-signature': `${`v1,${btoa('x'.repeat(32))} `.repeat(100)}${headers['webhook-signature']}`,
        }
      },
      invalid,
    ],
    ['no fields', () => ({}), missing],
    [
      'no signature',
      () => {
        const { 'webhook-signature': _, ...headers } = standard(body)
        return headers
      },
      missing,
    ],
    ...[`${NOW}x`, `x${NOW}`, `000${NOW}`, `-${NOW}`, `${NOW}.5`].map(
      (time): [string, () => Record<string, string>, unknown] => [
        `the signed time ${time}`,
        () => {
          const key = Buffer.from(secret.slice(6), 'base64')
          const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
          return { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
        },
        missing,
      ],
    ),
    ...(
      [
        [15, { status: 200, body: { id: 'msg_1', text: body } }],
        [16, invalid],
      ] as [number, unknown][]
    ).map(([count, expected]): [string, () => Record<string, string>, unknown] => [
      `a right signature behind ${count} wrong ones`,
      () => {
        const headers = standard(body)
        const wrong = `v1,${btoa('x'.repeat(32))} `.repeat(count)
        return { ...headers, 'webhook-signature': wrong + headers['webhook-signature'] }
      },
      expected,
    ]),
    ['no id', () => ({ ...standard(body), 'webhook-id': '' }), missing],
    ['a time that is no number', () => ({ ...standard(body), 'webhook-timestamp': 'NaN' }), missing],
  ])('MX14: standard: %s', async (_, headers, expected) => {
    expect(await make({})(body, headers())).toEqual(expected)
  })

  test('MX14: standard: two secrets, and the fields of Svix', async () => {
    const other = 'c2VjcmV0IHRoYXQgaXMgbm90IHRoaXM='
    const ask = make({ secret: [other, secret], header: 'svix' })
    for (const signer of [library, new Webhook(other)])
      expect((await ask(body, standard(body, 'm', NOW, signer, 'svix'))).status).toBe(200)
    expect(await ask(body, standard(body))).toEqual(missing)
  })

  test.each<[string, Record<string, string>, unknown]>([
    ['a message', stripe(body), { status: 200, body: { id: 'evt_1', text: body } }],
    ['too old', stripe(body, NOW - 301), old],
    ['another secret', stripe(body, NOW, 'x'), invalid],
    ['another body', stripe('{}'), invalid],
    ['v0 alone', { 'stripe-signature': `t=${NOW},v0=${hmac('whsec_stripe', `${NOW}.${body}`)}` }, missing],
    ['no time', { 'stripe-signature': `v1=${hmac('whsec_stripe', `${NOW}.${body}`)}` }, missing],
    [
      'a second signature',
      { 'stripe-signature': `t=${NOW},v1=${'0'.repeat(64)},v1=${hmac('whsec_stripe', `${NOW}.${body}`)}` },
      { status: 200, body: { id: 'evt_1', text: body } },
    ],
    ['no header', {}, missing],
    [
      'white space and upper case',
      { 'stripe-signature': `t=${NOW}, v1=${hmac('whsec_stripe', `${NOW}.${body}`).toUpperCase()}` },
      { status: 200, body: { id: 'evt_1', text: body } },
    ],
    ['a signature that is not hexadecimal', { 'stripe-signature': `t=${NOW},v1=${'x'.repeat(64)}` }, missing],
  ])('MX14: stripe: %s', async (_, headers, expected) => {
    expect(await make({ scheme: 'stripe', secret: 'whsec_stripe' })(body, headers)).toEqual(expected)
  })

  test.each(['no JSON', '{"id":7}', '{"id":""}', 'null', '{}'])(
    'MX14: stripe: the body is the id of an event without one: %s',
    async (event) => {
      const {
        status,
        body: { id },
      } = await make({ scheme: 'stripe', secret: 'whsec_stripe' })(event, stripe(event))
      expect({ status, id }).toEqual({ status: 200, id: expect.stringMatching(/^[\w-]{40,}$/) })
    },
  )

  test('MX14: the store is asked to take a message, then to keep or release it before the response leaves', async () => {
    const calls: unknown[][] = []
    const later = async (...call: unknown[]): Promise<undefined> => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      calls.push(call)
    }
    const store = {
      take: (key: string, mark: string, seconds: number) => later('take', key.length > 30, mark.length > 20, seconds),
      replace: (_: string, __: string, value: string, seconds: number) => later('replace', value.length < 20, seconds),
      release: () => later('release'),
    }
    for (const [status, last] of [
      [200, ['replace', true, 86_400]],
      [299, ['replace', true, 86_400]],
      [300, ['release']],
      [500, ['release']],
    ] as const) {
      calls.length = 0
      expect((await make({ store }, () => text('x', status))(body, standard(body))).status).toBe(status)
      expect(calls).toEqual([['take', true, true, 60], last])
    }
    await make({ store, maxAge: 1 })(body, standard(body))
    expect(calls.at(-1)).toEqual(['replace', true, 1])
  })

  test.each([
    ['replace', 200],
    ['release', 500],
  ])('MX14: the response is sent and the error reported if the %s of the store fails', async (failing, status) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const store = { ...memoryIdempotency({ now }), [failing]: () => Promise.reject(new Error('down')) }
    expect((await make({ store }, () => text('x', status))(body, standard(body))).status).toBe(status)
    expect(printed.mock.calls).toEqual([[new Error('down')]])
    printed.mockRestore()
  })

  test('MX14: a message that an asynchronous store knows is a duplicate', async () => {
    const store = { ...memoryIdempotency({ now }), take: async () => 'done' }
    expect(await make({ store })(body, standard(body))).toEqual({
      status: 200,
      body: { received: true, duplicate: true },
    })
  })

  test('MX14: a body of 1 MiB is accepted, one byte more is a 413', async () => {
    const largest = 'x'.repeat(1_048_576)
    expect((await make({}, () => text('x'))(largest, standard(largest))).status).toBe(200)
    expect((await make({}, () => text('x'))(`${largest}x`, standard(`${largest}x`))).status).toBe(413)
  })

  test('MX14: a body past the limit is a 413', async () => {
    expect((await make({ limit: 5 })(body, standard(body))).status).toBe(413)
  })

  test('MX14: a message that was handled is not handled again, one that failed is', async () => {
    let ran = 0
    const ask = make({ store: memoryIdempotency({ now }) }, () => (++ran === 1 ? text('no', 500) : json(ran)))
    expect((await ask(body, standard(body))).status).toBe(500)
    expect(await ask(body, standard(body, 'msg_1', NOW + 1))).toEqual({ status: 200, body: 2 })
    expect(await ask(body, standard(body, 'msg_1', NOW + 2))).toEqual({
      status: 200,
      body: { received: true, duplicate: true },
    })
    expect(await ask(body, standard(body, 'msg_2'))).toEqual({ status: 200, body: 3 })
  })

  test('MX14: a message that is being handled is asked for again', async () => {
    let open!: () => void
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let started = false
    const ask = make({ scheme: 'stripe', secret: 'whsec_stripe', store: memoryIdempotency({ now }) }, async () => {
      started = true
      await gate
      return json(1)
    })
    const running = ask(body, stripe(body))
    while (!started) await new Promise((resolve) => setImmediate(resolve))
    expect((await ask(body, stripe(body, NOW + 1))).status).toBe(409)
    open()
    expect((await running).status).toBe(200)
  })
})

test.each<[string, any, RegExp]>([
  ['a scheme', { scheme: 'slack', secret }, /^webhook: scheme: expected one of standard, github, stripe, got "slack"$/],
  ['a scheme of the prototype', { scheme: 'constructor', secret }, /^webhook: scheme: /],
  ['no secret', { scheme: 'github' }, /^webhook: secret: /],
  ['an empty secret', { scheme: 'github', secret: '' }, /^webhook: secret: /],
  ['a secret that is not base64', { scheme: 'standard', secret: 'whsec_*' }, /^webhook: secret: .*got "string"$/],
  ['no secrets', { scheme: 'github', secret: [] }, /^webhook: secret: expected a secret of the scheme/],
  ['a number', { scheme: 'github', secret: 5 }, /^webhook: secret: .*got "number"$/],
  ['a prefix within a secret', { scheme: 'standard', secret: 'AAAAwhsec_AAAA' }, /^webhook: secret: /],
  ['a store', { scheme: 'github', secret: 'x', store: {} }, /^webhook: store: expected a store, got "object"$/],
  [
    'a maximum age',
    { scheme: 'github', secret: 'x', maxAge: 0 },
    /^webhook: maxAge: expected a whole number of seconds from 1/,
  ],
  ['a limit', { scheme: 'github', secret: 'x', limit: -1 }, /^webhook: limit: expected a whole number of bytes from 0/],
  [
    'a tolerance in words',
    { scheme: 'github', secret: 'x', tolerance: '5m' },
    /^webhook: tolerance: .* seconds from 0, got "5m"$/,
  ],
  ['a tolerance', { scheme: 'github', secret: 'x', tolerance: -1 }, /^webhook: tolerance: /],
  [
    'an unknown option',
    { scheme: 'github', secret: 'x', secrets: [] },
    /^webhook: secrets: unknown option, did you mean "secret"/,
  ],
])('MX14: refuses %s', (_, options, message) => {
  expect(() => webhook(options)).toThrow(message)
})
