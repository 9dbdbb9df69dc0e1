import '../mend-express.ts'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { text } from '../../src/respond/text.ts'

/**
 * Both over real sockets, asked the same: statuses and headers agree. Decided differences (ML2, ML4): the body is
 * JSON, and draft 8 is sent without the partition key, in the spelling of RFC 9651 (no space after a semicolon).
 */
const DRAFTS = ['draft-6', 'draft-7', 'draft-8'] as const

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const plain = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => /^(x-)?ratelimit|^retry-after$/.test(name))
      .map(([name, value]) => [name, value.replace(/; pk=:[^:]*:/, '').replace(/; /g, ';')]),
  )

describe.each(DRAFTS)('express-rate-limit with %s', (draft) => {
  const limit = { max: 3, windowMs: 60_000 }
  const close: (() => unknown)[] = []
  let theirs = ''
  let ours = ''

  beforeAll(async () => {
    const app = express()
    app.use(
      rateLimit({
        limit: limit.max,
        windowMs: limit.windowMs,
        standardHeaders: draft,
        legacyHeaders: true,
        identifier: `${limit.max}-in-60sec`,
      }),
    )
    app.get('/', (_, response) => void response.send('ok'))
    const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
    })
    theirs = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const handle = await createApp()
      .use(rateLimiter({ ...limit, standardHeaders: draft, legacyHeaders: true }))
      .get('/', () => text('ok'))
      .listen({ port: 0, hostname: '127.0.0.1' })
    ours = handle.url
    close.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => handle.close(),
    )
  })
  afterAll(() => Promise.all(close.map((each) => each())))

  test('five requests get the same statuses and the same headers', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([fetch(theirs), fetch(ours)])
      const seconds = Date.now() / 1000
      const expected = plain(one.headers)
      const received = plain(other.headers)
      expect(other.status).toBe(one.status)
      expect(Object.keys(received).sort()).toEqual(Object.keys(expected).sort())
      // The clock stands still, and each server rounds in its own way: seconds may differ by one.
      for (const [field, value] of Object.entries(expected)) {
        const numbers = (text: string) => text.match(/\d+/g)!.map(Number)
        expect(received[field]!.replace(/\d+/g, '#')).toBe(value.replace(/\d+/g, '#'))
        for (const [index, number] of numbers(value).entries()) {
          expect(Math.abs(numbers(received[field]!)[index]! - number)).toBeLessThanOrEqual(
            /reset|retry|;t=/.test(field + value) ? 1 : 0,
          )
        }
      }
      expect(Number(received['x-ratelimit-reset'])).toBeGreaterThan(seconds)
      await Promise.all([one.text(), other.text()])
    }
  })
})

test('ML6: the key is the real socket: forged headers change nothing', async () => {
  const handle = await createApp()
    .use(rateLimiter({ max: 2, windowMs: 60_000 }))
    .get('/', () => text('ok'))
    .listen({ port: 0, hostname: '127.0.0.1' })
  const statuses: number[] = []
  for (let index = 0; index < 4; index++) {
    const response = await fetch(handle.url, {
      headers: { 'x-forwarded-for': `9.9.9.${index}`, 'cf-connecting-ip': `9.9.9.${index}` },
    })
    statuses.push(response.status)
    await response.text()
  }
  await handle.close()
  expect(statuses).toEqual([200, 200, 429, 429])
})
