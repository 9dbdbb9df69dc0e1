import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { closeDatabase, createDatabase, migrate, setDatabase } from '../../src/database.ts'
import { type App, createApp } from '../../src/index.ts'
import { describe as describeRoute, openapiRoute } from '../../src/openapi.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'
import { runCommand } from '../generators/run-command.ts'
import { importApp, linkPackages, temporaryFolder } from '../generators/sandbox.ts'
import { breaksOf, type Json, valuesOf } from './from-json-schema.ts'

/**
 * Prism (`@stoplight/prism-cli`) stands between a client and the served application, and reports every answer that the
 * served document does not allow.
 */
const prism = fileURLToPath(new URL('tools/node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))
const installed = existsSync(prism)
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${prism}`)

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')
vi.spyOn(console, 'log').mockImplementation(() => {})

const folder = mkdtempSync(join(tmpdir(), 'sluice-contract-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** A request of one operation. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly type?: string
}

/** What Prism found wrong about an answer. */
interface Violation {
  readonly message: string
  readonly location: readonly string[]
}

/** The address of Prism before an application that listens, and the document that it was given. */
const inspect = async (app: App): Promise<{ address: string; document: Json }> => {
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  ends.push(() => server.close())
  const document = await (await fetch(`${server.url}/openapi.json`)).json()
  const file = join(folder, `${ends.length}.json`)
  writeFileSync(file, JSON.stringify(document))
  const given = ['proxy', file, `http://127.0.0.1:${server.port}`, '--port', '0', '--validate-request', 'false']
  const child = spawn(process.execPath, [prism, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  ends.push(() => stop(child))
  return { address: await addressOf(child), document }
}

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill()
  })

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ''
    const read = (chunk: Buffer): void => {
      printed += chunk
      const [, address] = /listening on (http:\/\/[\w.:]+)/.exec(printed) ?? []
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`Prism ended:\n${printed}`)))
  })

/** Requests of an operation: as it is described, and not. Ids are few, so that many of them are there. */
const requestsOf = (method: string, template: string, operation: Json, schemas: Json): fc.Arbitrary<Sent> => {
  const { parameters = [], requestBody } = operation
  const query = parameters.filter((one: Json) => one.in === 'query')
  const pair = ({ name, schema }: Json): fc.Arbitrary<string[]> => {
    const wrong = breaksOf(schema, schemas, true).map(String)
    const value = fc.oneof(valuesOf(schema, schemas).map(String), fc.constantFrom('', 'no', '-1', ...wrong))
    return fc.option(value, { nil: undefined }).map((text) => (text === undefined ? [] : [name, text]))
  }
  const search = fc.tuple(...query.map(pair)).map((pairs) => {
    const text = `${new URLSearchParams((pairs as string[][]).filter((one) => one.length))}`
    return text && `?${text}`
  })
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }).map(String) },
    fc.constantFrom('0', '-1', 'x', '99999999999999999999', '1.5', '%20'),
  )
  const schema = requestBody?.content['application/json']?.schema
  // Not `null`: Prism forwards its length without it
  const body = schema
    ? fc.oneof(
        { weight: 4, arbitrary: valuesOf(schema, schemas).map((value) => JSON.stringify(value)) },
        fc.constantFrom('', '{', '[]', '{"title":1}', ...breaksOf(schema, schemas, false).map((value) => `${value}`)),
      )
    : fc.constant(undefined)
  const type = fc.oneof({ weight: 9, arbitrary: fc.constant('application/json') }, fc.constantFrom('text/plain'))
  return fc.tuple(id, search, body, type).map(([one, asked, text, media]) => ({
    method: method.toUpperCase(),
    path: template.replaceAll(/\{\w+\}/g, one) + asked,
    ...(text !== undefined && { body: text, type: media }),
  }))
}

/** Every operation whose answers end. */
const operationsOf = (document: Json): readonly fc.Arbitrary<Sent>[] =>
  Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, { responses }]) => !responses[200]?.content?.['text/event-stream'])
      .map(([method, operation]) => requestsOf(method, template, operation, document.components.schemas)),
  )

const violationsOf = (response: Response): readonly string[] =>
  (JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[]).map(
    ({ location, message }) => `${location.join('.')}: ${message}`,
  )

/** Ask at random, one after the other; gives the statuses that came. Throws at the first answer that is not allowed. */
const inspectAtRandom = async ({ address, document }: { address: string; document: Json }, count: number) => {
  const statuses = new Set<string>()
  for (const { method, path, body, type } of fc.sample(fc.oneof(...operationsOf(document)), count)) {
    const init = body === undefined ? {} : { body, headers: { 'content-type': type! } }
    const response = await fetch(address + path, { method, ...init, signal: AbortSignal.timeout(10_000) })
    const answer = await response.text()
    const asked = { method, path, body, type, status: response.status, answer }
    expect({ asked, violations: violationsOf(response) }).toEqual({ asked, violations: [] })
    statuses.add(`${method} ${response.status}`)
  }
  return [...statuses].sort()
}

describe.skipIf(!installed)('OA6: Prism finds no answer that the served document does not allow', () => {
  test('the document of the example', async () => {
    const { app } = await import('../../examples/node/app.ts')
    const found = await inspectAtRandom(await inspect(app as unknown as App), 300)
    expect(found).toEqual(
      expect.arrayContaining(['GET 200', 'GET 404', 'PATCH 200', 'POST 201', 'POST 400', 'POST 415', 'POST 422']),
    )
    await app.close()
  })

  test('of a generated project', async () => {
    const parent = temporaryFolder()
    const root = join(parent, 'shop')
    const run = async (cwd: string, ...line: string[]): Promise<void> => {
      expect(await runCommand(cwd, line)).toMatchObject({ code: 0 })
    }
    await run(parent, 'new', 'shop', '--no-install', '--no-git')
    linkPackages(root)
    await run(root, 'g', 'resource', 'Owner', 'name:string')
    await run(
      root,
      ...'g resource Post title:string:unique body:text? price:decimal(10,2)? kind:enum(a,b) born:date done:boolean owner:references(Owner)? more:json? --lock'.split(
        ' ',
      ),
    )
    await run(root, 'g', 'resource', 'admin/Note', 'text:text', '--soft-delete')
    const app = await importApp(root)
    const db = setDatabase(createDatabase('sqlite::memory:'))
    ends.push(() => closeDatabase())
    const load = (file: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ file)
    expect(await migrate({ db, folder: join(root, 'src/database/migrations'), load })).toHaveLength(3)
    const found = await inspectAtRandom(await inspect(app), 900)
    expect(found).toEqual(
      expect.arrayContaining([
        ...['DELETE 204', 'DELETE 404', 'GET 200', 'GET 400', 'GET 404', 'PATCH 200', 'PATCH 422', 'POST 201'],
        ...['POST 400', 'PATCH 409', 'POST 415', 'POST 422', 'PUT 200', 'PUT 404', 'PUT 422'],
      ]),
    )
  })

  test.each<[string, () => Response, string]>([
    ['another type', () => json({ name: 1 }), 'response.body'],
    ['a property that is missing', () => json({}), 'response.body'],
    ['a status that is not described', () => json({ name: 'Ada' }, 202), 'response'],
  ])('it would be found: %s', async (_, answer, place) => {
    const app = createApp().get('/', describeRoute({ responses: { 200: z.object({ name: z.string() }) } }), answer)
    openapiRoute('/openapi.json', { info: { title: 'Wrong', version: '1' } })(app)
    const { address } = await inspect(app as unknown as App)
    const violations = violationsOf(await fetch(`${address}/`))
    expect(violations.length).toBeGreaterThan(0)
    expect(violations[0]).toContain(place)
  })
})
