import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type WebhookOptions, webhook } from '../../src/middleware/webhook.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { doors } from '../harness.ts'

const NOW = 1_800_000_000
const now = () => NOW * 1000
/** Secrets of 32 bytes: `standard` has them in base64, and a message is signed with the bytes. */
const secretOf = (letter: string): string => letter.repeat(44)
const keyOf = (scheme: string, secret: string) => (scheme === 'standard' ? Buffer.from(secret, 'base64') : secret)

const signed = (scheme: string, secret: string, body: string): Record<string, string> => {
  const sign = (content: string, form: 'hex' | 'base64') =>
    createHmac('sha256', keyOf(scheme, secret)).update(content).digest(form)
  if (scheme === 'stripe') return { 'stripe-signature': `t=${NOW},v1=${sign(`${NOW}.${body}`, 'hex')}` }
  if (scheme === 'github') return { 'x-hub-signature-256': `sha256=${sign(body, 'hex')}` }
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${NOW}`,
    'webhook-signature': `v1,${sign(`msg_1.${NOW}.${body}`, 'base64')}`,
  }
}

describe.each(doors)('one store for the messages of several senders, through %s', (_, door) => {
  describe.each(['standard', 'github', 'stripe'] as const)('%s', (scheme) => {
    const start = (...secrets: WebhookOptions['secret'][]) => {
      const store = memoryIdempotency()
      const handled: string[] = []
      const fetch = door({
        routes: secrets.map((secret, at) => [
          'POST',
          `/${at}`,
          webhook({ scheme, secret, store, now }),
          () => {
            handled.push(`${at}`)
            return text('handled')
          },
        ]),
      })
      const body = '{"id":"evt_1"}'
      const send = async (at: number, secret: string) => {
        const request = { method: 'POST', body, headers: signed(scheme, secret, body) }
        return (await fetch(new Request(`http://localhost/${at}`, request))).text()
      }
      return { send, handled }
    }
    const [a, b] = ['a', 'b'].map(secretOf) as [string, string]
    const duplicate = '{"received":true,"duplicate":true}'

    test('a sender cannot use up the ids of another', async () => {
      const { send, handled } = start(a, b)
      expect({ ofA: await send(0, a), ofB: await send(1, b) }).toEqual({ ofA: 'handled', ofB: 'handled' })
      expect({ ofA: await send(0, a), ofB: await send(1, b) }).toEqual({ ofA: duplicate, ofB: duplicate })
      expect(handled).toEqual(['0', '1'])
    })

    test('a message is still handled once when it arrives at two routes for the same sender', async () => {
      const { send } = start(a, a)
      expect({ atFirstRoute: await send(0, a), atSecondRoute: await send(1, a) }).toEqual({
        atFirstRoute: 'handled',
        atSecondRoute: duplicate,
      })
    })

    test('a new secret in front does not make an old message new', async () => {
      const { send } = start(a, [b, a])
      expect({ ofA: await send(0, a), ofARepeated: await send(1, a), ofB: await send(1, b) }).toEqual({
        ofA: 'handled',
        ofARepeated: duplicate,
        ofB: duplicate,
      })
    })
  })
})
