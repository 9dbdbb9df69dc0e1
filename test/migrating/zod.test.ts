import * as sluice from 'sluice/zod3'
import { describe, expect, test } from 'vitest'
import * as zod4 from 'zod'
import { z as zod3 } from 'zod/v3'
import { type Asked, observe, titleOf } from './compare.ts'
import { zodPort } from './zod-port.ts'

const SIGN_UP = { name: ' Ann ', email: 'ANN@x.io', password: 'longenough', again: 'longenough' }
const ORDER = {
  items: [{ id: '4e7b3a52-2d83-4d0c-9b6e-0f5f3f1f2a3b', count: 1 }],
  payment: { by: 'bill', days: 14 },
  at: '2026-01-02T03:04:05Z',
  coupon: null,
}
const bodies: readonly (readonly [string, object])[] = [
  ['sign-up', SIGN_UP],
  ['sign-up', { ...SIGN_UP, age: 7, address: { street: 'x' }, newsletter: true }],
  ['sign-up', { ...SIGN_UP, address: null }],
  ['sign-up', { ...SIGN_UP, again: 'other' }],
  ['sign-up', { ...SIGN_UP, extra: 1 }],
  ['sign-up', { ...SIGN_UP, name: ' A ', email: 'x', password: 'short', age: -1.5 }],
  ['sign-up', { ...SIGN_UP, address: { street: '', zip: '1' } }],
  ['sign-up', {}],
  ['order', ORDER],
  ['order', { ...ORDER, state: 'sent', notes: { a: 'b' }, range: [1, 2], unknown: 1 }],
  ['order', { ...ORDER, state: 'lost' }],
  ['order', { ...ORDER, items: [] }],
  ['order', { ...ORDER, items: [{ id: '1', count: 0 }] }],
  ['order', { ...ORDER, payment: { by: 'card', number: '123' } }],
  ['order', { ...ORDER, payment: { by: 'cash' } }],
  ['order', { ...ORDER, payment: { by: 'bill', days: 15 } }],
  ['order', { ...ORDER, at: 'yesterday', coupon: undefined, notes: { a: 1 }, range: [1] }],
  ['range', { from: '1', to: '5' }],
  ['range', { from: 5, to: 1 }],
  ['range', { from: 'x', to: 1 }],
  ['patch', { zip: '12345', street: 'dropped' }],
  ['patch', { city: 7 }],
  ['page', { other: true }],
  ['page', { page: '0' }],
  ['either', ['a', 1]],
  ['either', []],
  ['either', [true]],
  ['both', { a: 'x', b: 1 }],
  ['both', { a: 1 }],
]
const asked = bodies.map(([name, body]): Asked => ({ method: 'POST', path: `/${name}`, body }))
const after = zodPort(sluice)

describe('FX5: the schemas of an application of zod after the move', () => {
  const before = zodPort(zod3 as unknown as typeof sluice)

  test.each(asked.map((one) => [titleOf(one), one] as const))('%s', async (_, one) =>
    expect(await observe(after, one)).toEqual(await observe(before, one)),
  )
})

describe('FX5: the same, compared with zod 4, which has other messages and reports fewer issues', () => {
  const before = zodPort(zod4 as unknown as typeof sluice)
  const paths = (body: unknown): unknown[] | undefined =>
    (body as { issues?: { path: unknown[] }[] }).issues?.map(({ path }) => path.join('.')).sort()

  test.each(asked.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
    const [here, there] = [await observe(after, one), await observe(before, one)]
    expect(here.status).toBe(there.status)
    if (here.status === 200) expect(here.body).toEqual(there.body)
    else expect(paths(here.body)).toEqual(expect.arrayContaining(paths(there.body)!))
  })
})

test.each([
  ['catch', 'z.array', (z: typeof sluice) => z.array(z.any()).catch([]), { zod3: true, here: false }],
  ['default', 'z.any', (z: typeof sluice) => z.any().default([]), { zod3: true, here: false }],
  ['default', 'z.array', (z: typeof sluice) => z.array(z.any()).default([]), { zod3: false, here: false }],
] as const)('FX5: %s([]) of %s: whether two parses get the same list', (method, _, make, expected) => {
  const isShared = (z: typeof sluice): boolean => {
    const schema = make(z)
    const [first, second] = [1, 2].map(() => schema.parse(method === 'catch' ? 7 : undefined))
    return first === second
  }
  expect({ zod3: isShared(zod3 as unknown as typeof sluice), here: isShared(sluice) }).toEqual(expected)
})
