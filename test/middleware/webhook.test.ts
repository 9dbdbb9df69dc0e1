import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type WebhookOptions, webhook } from '../../src/middleware/webhook.ts'
import { readText } from '../../src/read/text.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { doors } from '../harness.ts'

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
  const make = (options: Partial<WebhookOptions>, handler?: (ctx: any) => any) => {
    const fetch = door({
      use: [webhook({ scheme: 'standard', secret, now, ...options })],
      routes: [['POST', '/', handler ?? (async (ctx) => json([ctx.state.webhook.id, await readText(ctx)]))]],
    })
    return async (body: string, headers: Record<string, string>) => {
      const response = await fetch(new Request('http://localhost/', { method: 'POST', body, headers }))
      return [response.status, await response.json().catch(() => null)]
    }
  }
  const body = '{"id":"evt_1","ü":1}'
  const invalid = [401, { error: 'Invalid signature' }]
  const missing = [401, { error: 'Missing signature' }]
  const old = [401, { error: 'Signature is too old' }]

  test('MX14: the published vector of Standard Webhooks', async () => {
    const ask = make({ now: () => 1_614_265_330_000 })
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    expect(await ask('{"test": 2432232314}', headers)).toEqual([
      200,
      ['msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}'],
    ])
    expect(await ask('{"test": 2432232315}', headers)).toEqual(invalid)
  })

  test('MX14: the published vector of GitHub', async () => {
    const ask = make({ scheme: 'github', secret: "It's a Secret to Everybody" })
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    expect((await ask('Hello, World!', { 'x-hub-signature-256': signature }))[0]).toBe(200)
    expect(await ask('Hello, World.', { 'x-hub-signature-256': signature })).toEqual(invalid)
    expect(await ask('Hello, World!', { 'x-hub-signature-256': signature.slice(0, -1) })).toEqual(missing)
    expect(await ask('Hello, World!', { 'x-hub-signature': signature })).toEqual(missing)
  })

  test.each<[string, () => Record<string, string>, unknown]>([
    ['a request that the library has signed', () => standard(body), [200, ['msg_1', body]]],
    ['the oldest message', () => standard(body, 'm', NOW - 300), [200, ['m', body]]],
    ['one second older', () => standard(body, 'm', NOW - 301), old],
    ['the clock of the sender ahead', () => standard(body, 'm', NOW + 300), [200, ['m', body]]],
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
      [200, ['msg_1', body]],
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
    ['no id', () => ({ ...standard(body), 'webhook-id': '' }), missing],
    ['a time that is no number', () => ({ ...standard(body), 'webhook-timestamp': 'NaN' }), missing],
  ])('MX14: standard: %s', async (_, headers, expected) => {
    expect(await make({})(body, headers())).toEqual(expected)
  })

  test('MX14: standard: two secrets, and the fields of Svix', async () => {
    const other = 'c2VjcmV0IHRoYXQgaXMgbm90IHRoaXM='
    const ask = make({ secret: [other, secret], header: 'svix' })
    for (const signer of [library, new Webhook(other)])
      expect((await ask(body, standard(body, 'm', NOW, signer, 'svix')))[0]).toBe(200)
    expect(await ask(body, standard(body))).toEqual(missing)
  })

  test.each<[string, Record<string, string>, unknown]>([
    ['a message', stripe(body), [200, ['evt_1', body]]],
    ['too old', stripe(body, NOW - 301), old],
    ['another secret', stripe(body, NOW, 'x'), invalid],
    ['another body', stripe('{}'), invalid],
    ['v0 alone', { 'stripe-signature': `t=${NOW},v0=${hmac('whsec_stripe', `${NOW}.${body}`)}` }, missing],
    ['no time', { 'stripe-signature': `v1=${hmac('whsec_stripe', `${NOW}.${body}`)}` }, missing],
    [
      'a second signature',
      { 'stripe-signature': `t=${NOW},v1=${'0'.repeat(64)},v1=${hmac('whsec_stripe', `${NOW}.${body}`)}` },
      [200, ['evt_1', body]],
    ],
  ])('MX14: stripe: %s', async (_, headers, expected) => {
    expect(await make({ scheme: 'stripe', secret: 'whsec_stripe' })(body, headers)).toEqual(expected)
  })

  test('MX14: a body past the limit', async () => {
    expect((await make({ limit: 5 })(body, standard(body)))[0]).toBe(413)
  })

  test('MX14: a message that was handled is not handled again, one that failed is', async () => {
    let ran = 0
    const ask = make({ store: memoryIdempotency({ now }) }, () => (++ran === 1 ? text('no', 500) : json(ran)))
    expect((await ask(body, standard(body)))[0]).toBe(500)
    expect(await ask(body, standard(body, 'msg_1', NOW + 1))).toEqual([200, 2])
    expect(await ask(body, standard(body, 'msg_1', NOW + 2))).toEqual([200, { received: true, duplicate: true }])
    expect(await ask(body, standard(body, 'msg_2'))).toEqual([200, 3])
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
    expect((await ask(body, stripe(body, NOW + 1)))[0]).toBe(409)
    open()
    expect((await running)[0]).toBe(200)
  })
})

test.each<[string, any, RegExp]>([
  ['a scheme', { scheme: 'slack', secret }, /^webhook: scheme: expected one of standard, github, stripe, got "slack"$/],
  ['a scheme of the prototype', { scheme: 'constructor', secret }, /^webhook: scheme: /],
  ['no secret', { scheme: 'github' }, /^webhook: secret: /],
  ['an empty secret', { scheme: 'github', secret: '' }, /^webhook: secret: /],
  ['a secret that is not base64', { scheme: 'standard', secret: 'whsec_*' }, /^webhook: secret: .*got "string"$/],
  ['a tolerance', { scheme: 'github', secret: 'x', tolerance: -1 }, /^webhook: tolerance: /],
  ['an unknown option', { scheme: 'github', secret: 'x', secrets: [] }, /did you mean "secret"/],
])('MX14: refuses %s', (_, options, message) => {
  expect(() => webhook(options)).toThrow(message)
})
