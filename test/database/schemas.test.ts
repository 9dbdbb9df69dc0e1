import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { answerOf, changesOf, inputOf } from '../../src/database/schemas.ts'
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

test('input has neither readonly nor hidden columns; an answer has readonly ones; changes need nothing', () => {
  expect({
    input: Object.keys(inputOf(Thing).shape),
    answer: Object.keys(answerOf(Thing).shape),
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
    describe({ responses: { 200: { schema: z.array(answerOf(Thing)) } } }),
    () => new Response(),
  )
  const document = openapi(app, { info: { title: 'x', version: '1' } }) as { components?: { schemas?: object } }
  expect(Object.keys(document.components?.schemas ?? {})).toContain('Thing')
})
