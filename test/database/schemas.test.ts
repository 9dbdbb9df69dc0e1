import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { changesOf, inputOf, outputOf } from '../../src/database/schemas.ts'
import { Model, t } from '../../src/database.ts'
import { describe } from '../../src/openapi/describe.ts'
import { openapi } from '../../src/openapi.ts'
import * as z from '../../src/z.ts'

class Thing extends Model.define('things', {
  name: t.string(5),
  note: t.text().nullable(),
  mail: t.email().default('x@b.example'),
  size: t.integer().readonly(),
  secret: t.string().hidden(),
  price: t.decimal(5, 2).nullable(),
  kind: t.enum(['a', 'b']).default('a'),
  code: t.string(10).rules((schema) => schema.regex(/^\d+$/)),
  data: t.json(z.object({ x: z.number() })).nullable(),
  at: t.date().nullable(),
  owner: t.belongsTo(() => Thing).nullable(),
}) {}

const ok = { name: 'abc', code: '1' }

test.each<[string, object, boolean]>([
  ['what is needed', ok, true],
  ['no name', { code: '1' }, false],
  ['a name of the longest length', { ...ok, name: 'abcde' }, true],
  ['a name one character too long', { ...ok, name: 'abcdef' }, false],
  ['a name of white space', { ...ok, name: '   ' }, false],
  ['a rule of its own', { ...ok, code: 'x' }, false],
  ['null where it may be', { ...ok, note: null, price: null, data: null, at: null, ownerId: null }, true],
  ['null where it may not be', { ...ok, kind: null }, false],
  ['a decimal with too many places', { ...ok, price: 1.005 }, false],
  ['the largest decimal', { ...ok, price: 999.99 }, true],
  ['a decimal that is too large', { ...ok, price: 1000 }, false],
  ['one of the texts', { ...ok, kind: 'b' }, true],
  ['another text', { ...ok, kind: 'c' }, false],
  ['JSON of another form', { ...ok, data: { x: 'y' } }, false],
  ['a day', { ...ok, at: '2026-01-02' }, true],
  ['a day that is none', { ...ok, at: '2026-02-31' }, false],
  ['an id that is none', { ...ok, ownerId: 0 }, false],
])('input: %s', (_, body, isValid) => {
  expect(inputOf(Thing).safeParse(body).success).toBe(isValid)
})

class Each extends Model.define('each', {
  string: t.string(3),
  text: t.text(),
  email: t.email(),
  url: t.url(),
  uuid: t.uuid(),
  integer: t.integer(),
  number: t.number(),
  decimal: t.decimal(3, 1),
  whole: t.decimal(3, 0),
  part: t.decimal(2, 2),
  boolean: t.boolean(),
  date: t.date(),
  owner: t.belongsTo(() => Each),
}) {}

const url = (length: number): string => `https://a.example/${'x'.repeat(length - 18)}`
const mail = (length: number): string => `${'x'.repeat(length - 10)}@b.example`.slice(-length)

test.each<[string, unknown, boolean, unknown?]>([
  ['string', ' abc ', true, 'abc'],
  ['string', 'abcd', false],
  ['string', ' ', false],
  ['text', '', true, ''],
  ['text', 'x'.repeat(10_000), true],
  ['text', 'x'.repeat(10_001), false],
  ['email', ' A@B.example ', true, 'a@b.example'],
  ['email', 'a', false],
  ['email', mail(256), false],
  ['url', ' https://a.example ', true, 'https://a.example'],
  ['url', 'http://a.example', true],
  ['url', 'xhttp://a.example', false],
  ['url', 'httpsx://a.example', false],
  ['url', 'javascript:alert(1)', false],
  ['url', url(1000), true],
  ['url', url(1001), false],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000', true],
  ['uuid', '123', false],
  ['integer', -2_147_483_648, true],
  ['integer', -2_147_483_649, false],
  ['integer', 2_147_483_647, true],
  ['integer', 2_147_483_648, false],
  ['integer', 0.5, false],
  ['number', 0.5, true],
  ['number', Number.POSITIVE_INFINITY, false],
  ['decimal', 99.9, true],
  ['decimal', 100, false],
  ['decimal', -99.9, true],
  ['decimal', -100, false],
  ['decimal', 0.15, false],
  ['whole', 999, true],
  ['whole', 1000, false],
  ['whole', 1.5, false],
  ['part', 0.99, true],
  ['part', 1, false],
  ['boolean', false, true],
  ['boolean', 'false', false],
  ['date', '2026-01-02', true, new Date('2026-01-02')],
  ['date', '2026-01-02T03:04:05+01:00', true, new Date('2026-01-02T02:04:05Z')],
  ['date', '2026-01-02T03:04:05', false],
  ['ownerId', 1, true],
  ['ownerId', 0, false],
  ['ownerId', 1.5, false],
  ['ownerId', 2_147_483_648, false],
])('changes: %s takes %j: %s', (name, value, isValid, output = value) => {
  const { success, data } = changesOf(Each).safeParse({ [name]: value })
  expect({ success, data }).toEqual({ success: isValid, data: isValid ? { [name]: output } : undefined })
})

test.each<[string, unknown, unknown]>([
  ['string', 'abcd', ''],
  ['text', 'x'.repeat(10_001), 1],
  ['email', 'a', 1],
  ['url', 'a', 1],
  ['integer', 2_147_483_648, 0.5],
  ['number', 0.5, 'x'],
  ['decimal', 100.55, 'x'],
  ['date', '2026-01-02T03:04:05Z', '2026-01-02'],
  ['ownerId', 0, 0.5],
  ['id', 0, 0.5],
  ['createdAt', '2026-01-02T03:04:05Z', 'now'],
])('an answer has a loose %s: %j, and not %j', (name, fine, bad) => {
  const schema = outputOf(Each).partial()
  const isFine = (value: unknown): boolean => schema.safeParse({ [name]: value }).success
  expect({ fine: isFine(fine), bad: isFine(bad) }).toEqual({ fine: true, bad: name === 'string' })
})

test('with versions and soft delete, changes take a version and an answer has both', () => {
  class Kept extends Model.define('kept', { a: t.text() }, { version: true, softDelete: true, timestamps: false }) {}
  const [first, other] = [outputOf(Kept), outputOf(Kept, 'Other')]
  expect({
    changes: Object.keys(changesOf(Kept).shape),
    one: changesOf(Kept).safeParse({ version: 1 }).success,
    none: changesOf(Kept).safeParse({}).success,
    zero: changesOf(Kept).safeParse({ version: 0 }).success,
    answer: Object.keys(outputOf(Kept).shape),
    same: outputOf(Kept) === first,
    other: first === other,
    again: outputOf(Kept, 'Other') === other,
  }).toEqual({
    changes: ['a', 'version'],
    one: true,
    none: true,
    zero: false,
    answer: ['id', 'a', 'version', 'deletedAt'],
    same: true,
    other: false,
    again: true,
  })
})

test('input has neither readonly nor hidden columns; an answer has readonly ones; changes need nothing', () => {
  expect({
    input: Object.keys(inputOf(Thing).shape),
    answer: Object.keys(outputOf(Thing).shape),
    changes: changesOf(Thing).safeParse({}).success,
  }).toEqual({
    input: ['name', 'note', 'mail', 'price', 'kind', 'code', 'data', 'at', 'ownerId'],
    answer: [
      'id',
      'name',
      'note',
      'mail',
      'size',
      'price',
      'kind',
      'code',
      'data',
      'at',
      'ownerId',
      'createdAt',
      'updatedAt',
    ],
    changes: true,
  })
})

test('an answer has the name of its model in an OpenAPI document', async () => {
  const app = createApp().get(
    '/things',
    describe({ responses: { 200: { schema: z.array(outputOf(Thing)) } } }),
    () => new Response(),
  )
  const document = openapi(app, { info: { title: 'x', version: '1' } }) as { components?: { schemas?: object } }
  expect(Object.keys(document.components?.schemas ?? {})).toContain('Thing')
})
