import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { validateBody, validateParams, validateQuery } from '../../src/middleware/validator.ts'
import { describe as describeRoute, named, openapiRoute } from '../../src/openapi.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'

const tools = fileURLToPath(new URL('tools', import.meta.url))
const installed = existsSync(join(tools, 'node_modules/openapi-typescript'))
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${tools}`)

const User = named('User', z.object({ name: z.string(), age: z.number().int() }))
const app = createApp()
  .get(
    '/users/:id',
    describeRoute({ responses: { 200: User, 404: z.object({ error: z.string() }) } }),
    validateParams(z.object({ id: z.coerce.number().int() })),
    validateQuery(z.object({ q: z.string().optional() })),
    (ctx) => (ctx.params.id === '1' ? json({ name: 'Ada', age: 36 }) : json({ error: 'none' }, 404)),
  )
  .post('/users', describeRoute({ responses: { 201: User } }), validateBody(User), (ctx) =>
    json(ctx.state.valid.body, 201),
  )
openapiRoute('/openapi.json', { info: { title: 'Users', version: '1' } })(app)

const folder = installed ? mkdtempSync(join(tools, '.test-')) : ''
afterAll(() => installed && rmSync(folder, { recursive: true, force: true }))

/** Uses the client rightly, and wrongly where a line asks for it. */
const PROGRAM = `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

export const use = async (baseUrl: string) => {
  const api = createClient<paths>({ baseUrl })
  const found = await api.GET('/users/{id}', { params: { path: { id: 1 }, query: { q: 'x' } } })
  const name: string | undefined = found.data?.name
  const missing = await api.GET('/users/{id}', { params: { path: { id: 2 } } })
  const why = missing.error?.error
  const made = await api.POST('/users', { body: { name: 'Bob', age: 5 } })
  const age: number | undefined = made.data?.age
  const refused = await api.POST('/users', { body: { name: 'Bob', age: 1.5 } })
  return { name, why, age, status: refused.response.status }
}
`
const WRONG = `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'
const api = createClient<paths>({ baseUrl: '' })
// @ts-expect-error a text is no number
api.GET('/users/{id}', { params: { path: { id: 'x' } } })
// @ts-expect-error there is no such path
api.GET('/user', {})
// @ts-expect-error the age is missing
api.POST('/users', { body: { name: 'Bob' } })
`

describe.skipIf(!installed)('OA6, TC8: openapi-typescript and openapi-fetch', () => {
  test('types that are made of the served document compile, and the client works', async () => {
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    try {
      const url = `http://127.0.0.1:${server.port}`
      writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
      const run = (script: string, ...words: string[]): { code: number | null; out: string } => {
        const { status, stdout } = spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: 'utf8' })
        return { code: status, out: stdout }
      }
      run(join(tools, 'node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.ts')
      writeFileSync(join(folder, 'use.ts'), PROGRAM)
      writeFileSync(join(folder, 'wrong.ts'), WRONG)
      const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
      const compilerOptions = {
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        allowImportingTsExtensions: true,
        types: [],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts', 'wrong.ts'] }))
      expect(run(tsc, '-p', '.')).toEqual({ code: 0, out: '' })
      const { use } = await import(pathToFileURL(join(folder, 'use.ts')).href)
      expect(await use(url)).toEqual({ name: 'Ada', why: 'none', age: 5, status: 422 })
    } finally {
      await server.close()
    }
  })
})
