import { expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'
import { compileHere } from './compile-here.ts'

test('10 MB of base64 are base64, in any of its forms', () => {
  const text = 'aGk_'.repeat(2_500_000)
  expect(z.string().base64().safeParse(text.replaceAll('_', '/')).success).toBe(true)
  expect(z.string().base64url().safeParse(text).success).toBe(true)
  expect(z.base64url().safeParse(text).success).toBe(true)
  expect(z.templateLiteral(['id-', z.base64url()]).safeParse(`id-${text}`).success).toBe(true)
})

test('compiled code refuses 10 MB of text as well', () => {
  const { schema } = compileHere(z.object({ mail: z.string().email() }))
  expect(schema.safeParse({ mail: 'a.'.repeat(5e6) }).success).toBe(false)
})
