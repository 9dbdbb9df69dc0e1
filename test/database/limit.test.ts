import { expect, test } from 'vitest'
import { readType } from '../../src/internal/database/model/limit.ts'

const store = (cell: number | bigint | string): unknown => readType('decimal(20, 2)').limit?.('total', cell)

test.each([9_007_199_254_740_993n, -(10n ** 18n) + 1n, 1.5, '9007199254740993.25'])(
  'decimal(20, 2) takes %s, whose digits fit',
  (cell) => expect(store(cell)).toBe(cell),
)

test.each([10n ** 18n, -(10n ** 18n), 1e18, '1000000000000000000.25'])('decimal(20, 2) refuses %s', (cell) => {
  expect(() => store(cell)).toThrow('total: expected at most 18 digits before the point')
})
