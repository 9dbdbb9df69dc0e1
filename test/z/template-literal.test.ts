import { expect, test } from 'vitest'
import * as z from '../../src/z.ts'

const x = (count: number): string => 'x'.repeat(count)

test.each<[string, z.AnySchema, string, boolean]>([
  ['a number with a fraction', z.templateLiteral([z.number()]), '1.5', true],
  ['a whole number for int()', z.templateLiteral([z.number().int()]), '15', true],
  ['a fraction for int()', z.templateLiteral([z.number().int()]), '1.5', false],
  ['a fraction for min()', z.templateLiteral([z.number().min(1)]), '1.5', true],
  ['a fraction below min()', z.templateLiteral([z.number().min(2)]), '1.5', false],
  ['a fraction for int().min()', z.templateLiteral([z.number().int().min(1)]), '1.5', false],
  ['fifty digits for int()', z.templateLiteral([z.number().int()]), '1'.repeat(50), true],
  ['fifty digits for finite()', z.templateLiteral([z.number().finite()]), '1'.repeat(50), true],
  ['forty digits for min()', z.templateLiteral([z.number().min(1)]), '1'.repeat(40), true],
  ['forty-one digits for min()', z.templateLiteral([z.number().min(1)]), '1'.repeat(41), false],
  ['a sign alone', z.templateLiteral([z.number()]), '-', false],
  ['a dot at the end', z.templateLiteral([z.number()]), '1.', false],
  ['a dot at the begin', z.templateLiteral([z.number()]), '.1', false],
  ['two dots', z.templateLiteral([z.number()]), '1.2.3', false],
  ['a number and a unit', z.templateLiteral([z.number(), z.enum(['px', 'rem'])]), '-1.5rem', true],
  ['a bigint', z.templateLiteral([z.bigint()]), '-12', true],
  ['a bigint with n', z.templateLiteral([z.bigint()]), '12n', true],
  ['a bigint with n twice', z.templateLiteral([z.bigint()]), '12nn', false],
  ['a bigint with a fraction', z.templateLiteral([z.bigint()]), '1.2', false],
  ['a boolean', z.templateLiteral(['is ', z.boolean()]), 'is false', true],
  ['null', z.templateLiteral([z.null(), z.undefined()]), 'nullundefined', true],
  ['an optional that is there', z.templateLiteral(['a', z.literal('b').optional(), 'c']), 'abc', true],
  ['an optional that is not', z.templateLiteral(['a', z.literal('b').optional(), 'c']), 'ac', true],
  ['a nullable', z.templateLiteral(['a', z.literal('b').nullable()]), 'anull', true],
  ['a union', z.templateLiteral([z.union([z.literal('a'), z.literal('ab')]), 'bc']), 'abbc', true],
  ['a brand', z.templateLiteral([z.literal('a').brand<'A'>(), z.literal('b').readonly()]), 'ab', true],
  ['literals of other types', z.templateLiteral([1, true, null, undefined, 2n]), '1truenullundefined2', true],
  ['a text that must be long enough', z.templateLiteral(['a', z.string().min(2), 'b']), 'acb', false],
  ['a text that is long enough', z.templateLiteral(['a', z.string().min(2), 'b']), 'accb', true],
  ['the shortest of several texts', z.templateLiteral([z.string().max(1), 'b', z.string()]), 'abbb', true],
  ['none of several texts', z.templateLiteral([z.string().max(1), 'c', z.string()]), 'abbc', false],
  ['nothing for a text', z.templateLiteral([z.string()]), '', true],
  ['more than the parts', z.templateLiteral(['a']), 'ab', false],
  ['less than the parts', z.templateLiteral(['ab']), 'a', false],
  [
    'a long template in a template',
    z.templateLiteral([z.templateLiteral([z.string(), 'x']), '!']),
    `${x(3000)}!`,
    true,
  ],
  ['the last character of a long text', z.templateLiteral([z.string(), z.string().max(1)]), x(1000), true],
  ['a longer text with checks in the middle', z.templateLiteral([z.string().min(1), '!']), `${x(5000)}!`, false],
  ['a longer text with checks at the end', z.templateLiteral(['!', z.string().min(1)]), `!${x(5000)}`, true],
])('P28: a template literal and %s', (_, schema, text, isValid) => {
  expect(schema.safeParse(text).success).toBe(isValid)
})

test.each([
  ['a transform', z.string().transform((text) => text)],
  ['a string that changes', z.string().toUpperCase()],
  ['an object', z.object({})],
])('P28: a template literal refuses %s as a part', (_, part) => {
  expect(() => z.templateLiteral([part as never])).toThrow(
    /^templateLiteral: parts: expected schemas of strings, numbers/,
  )
})
