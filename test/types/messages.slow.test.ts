import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'

/** An application and its client; each row is a statement behind it. */
const BEFORE = `import { createApp } from '../../src/app.ts'
import { createClient } from '../../src/client.ts'
import { validateBody, validateQuery } from '../../src/middleware/validator.ts'
import { describe } from '../../src/openapi.ts'
import * as z from '../../src/z.ts'

interface User {
  id: number
}
declare const User: z.Schema<User>
const app = createApp()
  .get('/users', validateQuery(z.object({ page: z.string().optional() })), (ctx) => ctx.json([]))
  .get('/users/:id', describe({ responses: { 200: User, 404: z.object({ error: z.string() }) } }), (ctx) => ctx.json({}))
  .post('/users', validateBody(z.object({ name: z.string() })), (ctx) => ctx.json({}, 201))
export const api = createClient<typeof app>({ baseUrl: 'http://a' })
export const one = await api.get('/users/:id', { params: { id: 1 } })
`

/** What is wrong, the statement, the text at fault, and what the compiler says: one line each. */
const ROWS: readonly (readonly [title: string, code: string, at: string, message: string])[] = [
  [
    'a path that no route has',
    `api.get('/usrs')`,
    `'/usrs'`,
    `Argument of type '"/usrs"' is not assignable to parameter of type '"/users" | "/users/:id"'.`,
  ],
  [
    'a path of another method',
    `api.post('/users/:id', { json: {} })`,
    `'/users/:id'`,
    `Argument of type '"/users/:id"' is not assignable to parameter of type '"/users"'.`,
  ],
  ['no parameters', `api.get('/users/:id')`, 'get', 'Expected 2 arguments, but got 1.'],
  [
    'another parameter',
    `api.get('/users/:id', { params: { idd: 1 } })`,
    'idd',
    `Object literal may only specify known properties, and 'idd' does not exist in type '{ readonly id: string | number; }'.`,
  ],
  [
    'a body of another type',
    `api.post('/users', { json: { name: 1 } })`,
    'name',
    `Type 'number' is not assignable to type 'string'.`,
  ],
  [
    'a query of another type',
    `api.get('/users', { query: { page: 1 } })`,
    'page',
    `Type 'number' is not assignable to type 'string'.`,
  ],
  [
    'a value that no query has',
    `api.get('/users/:id', { params: { id: 1 }, query: { a: Symbol() } })`,
    'a',
    `Type 'symbol' is not assignable to type 'string | number | bigint | boolean | Date | readonly Scalar[] | null | undefined'.`,
  ],
  [
    'a property that no described answer has',
    `if (one.status === 200) (await one.json()).nam`,
    'nam',
    `Property 'nam' does not exist on type '{ id: number; }'.`,
  ],
  [
    'a property of the answer of another status',
    `if (one.status === 404) (await one.json()).id`,
    'id',
    `Property 'id' does not exist on type '{ error: string; }'.`,
  ],
  [
    'a described answer that is not a schema',
    `describe({ responses: { 200: 'User' } })`,
    '200',
    `Type 'string' is not assignable to type 'ResponseDescription'.`,
  ],
  [
    'a described answer without a status',
    `describe({ responses: { ok: User } })`,
    'ok',
    `Type 'Schema<User, User>' is not assignable to type 'never'.`,
  ],
  [
    'a description with an unknown member',
    `describe({ responses: { 200: { schemas: User } } })`,
    'schemas',
    `Object literal may only specify known properties, and 'schemas' does not exist in type 'ResponseDescription'.`,
  ],
]

const folder = fileURLToPath(new URL('.', import.meta.url))
const file = join(folder, 'messages-of-rows.ts')
const found: { readonly line: number; readonly at: string; readonly message: string }[] = []
const firstRow = BEFORE.split('\n').length - 1

beforeAll(() => {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const text = BEFORE + ROWS.map(([, code]) => `${code}\n`).join('')
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists.call(host, name)
  host.getSourceFile = (name, ...more) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, name, ...more)
  const program = ts.createProgram([file], options, host)
  for (const { start = 0, length = 0, messageText } of program.getSemanticDiagnostics(program.getSourceFile(file)))
    found.push({
      line: text.slice(0, start).split('\n').length - 1 - firstRow,
      at: text.slice(start, start + length),
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    })
}, 180_000)

describe('TC9: a wrong call has one error of one line, at its place', () => {
  test.each(ROWS.map((row, line) => [row[0], line, row] as const))('%s', (_, line, [, , at, message]) => {
    expect(found.filter((one) => one.line === line)).toEqual([{ line, at, message }])
  })

  test('the steps before the rows have none', () => {
    expect(found.filter(({ line }) => line < 0)).toEqual([])
  })
})
