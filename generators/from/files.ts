import { compareImports } from '../import-order.ts'
import type { PlannedFile } from '../write.ts'
import { block, escapeSeparators, headerOf, literal } from './code.ts'
import { createComponents } from './components.ts'
import { type Note, partOf, type Source } from './document.ts'
import { notesPage } from './notes.ts'
import { type Operation, operationsOf } from './operations.ts'

/** The files of a project that come from a document, and what of the document is not in them. */
export interface FromDocument {
  readonly files: readonly PlannedFile[]
  readonly notes: readonly Note[]
  readonly count: number
}

/** A handler of the project. */
const TODO = `/** A handler that is not written yet. */
const todo = (name: string) => (ctx: Context) => refuse(ctx, 501, \`\${name} is not written yet\`)
`

/** Write schemas, routes and tests of an OpenAPI document. */
export const filesFrom = (source: Source): FromDocument => {
  const components = createComponents(source)
  const used = new Set<string>()
  const refer = (name: string): string => {
    const constant = components.refer(name)
    used.add(constant)
    return constant
  }
  const operations = operationsOf(source, { ...components, refer })
  for (const member of ['webhooks', 'externalDocs'])
    if (source.root[member] !== undefined) source.notes.push({ where: 'document', what: `"${member}" is left out` })
  const { security } = source.root
  if (security || operations.some(({ steps }) => /\bsecurity: \[\{/.test(steps[0] ?? '')))
    source.notes.push({
      where: 'document',
      what: '"security" is described, not enforced: put a middleware before the routes',
    })
  return {
    count: operations.length,
    notes: source.notes,
    files: [
      { path: 'src/document.ts', contents: documentModule(source) },
      ...(components.constants.length ? [{ path: 'src/schemas.ts', contents: components.text() }] : []),
      {
        path: 'src/operations.ts',
        contents: routesModule(
          operations,
          components.constants.filter((constant) => used.has(constant)),
        ),
      },
      { path: 'test/operations.jsonl', contents: requestsFile(operations) },
      { path: 'test/operations.test.ts', contents: testModule() },
      { path: 'FROM.md', contents: notesPage(source.notes) },
    ],
  }
}

/** What a document says beside its operations, as options of `openapiRoute`. */
const documentModule = ({ root }: Source): string => {
  const { info, servers, security, tags, components } = root
  const { securitySchemes } = partOf(components)
  const { title = 'API', version = '0.0.0', ...more } = partOf(info)
  const members = {
    info: { title: String(title), version: String(version), ...more },
    ...(servers !== undefined && { servers }),
    ...(security !== undefined && { security }),
    ...(tags !== undefined && { tags }),
    ...(securitySchemes !== undefined && { securitySchemes }),
  }
  const text = escapeSeparators(JSON.stringify(members, null, 2))
  return [
    headerOf(text),
    `import type { OpenApiOptions } from 'sluice/openapi'`,
    '',
    '/** What the OpenAPI document says beside its operations. */',
    `export const about: OpenApiOptions = ${text}`,
    '',
  ].join('\n')
}

const routesModule = (operations: readonly Operation[], constants: readonly string[]): string => {
  const withTexts = operations.flatMap(({ steps }) => steps).join('\n')
  // A text of the document may look like code
  const code = withTexts.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  const validators = ['validateBody', 'validateHeaders', 'validateParams', 'validateQuery'].filter((name) =>
    code.includes(`${name}(`),
  )
  return [
    headerOf(withTexts),
    `import type { App${operations.length ? ', Context' : ''} } from 'sluice'`,
    ...(validators.length ? [`import { ${validators.join(', ')} } from 'sluice/middleware/validator'`] : []),
    ...(operations.length
      ? [`import { describe } from 'sluice/openapi'`, `import { refuse } from 'sluice/refuse'`]
      : []),
    ...(/\bz\./.test(code) ? [`import * as z from 'sluice/z'`] : []),
    ...(constants.length ? [block('import {', constants.toSorted(compareImports), `} from './schemas.ts'`)] : []),
    '',
    '/** The routes of the document. Replace `todo` with a handler: `ctx.state.valid` has what the validators read. */',
    `export const registerOperations = (${operations.length ? '' : '_'}app: App): void => {`,
    ...operations.map(({ method, path, steps, name }) =>
      `${block(`app.${method === 'options' ? 'httpOptions' : method}(`, [literal(path), ...steps, `todo(${literal(name)})`], ')')}\n`.replace(
        /^(?=.)/gm,
        '  ',
      ),
    ),
    '}',
    '',
    ...(operations.length ? [TODO] : []),
  ].join('\n')
}

/** A request for each operation. It is not code: the compiler gives up on the type of a long list. */
const requestsFile = (operations: readonly Operation[]): string => {
  const rows = operations.map(({ method, template, path, sample, broken }) =>
    JSON.stringify({ method: method.toUpperCase(), template, path, sample, broken }),
  )
  return rows.map((row) => `${row}\n`).join('')
}

const testModule = (): string =>
  `${headerOf('')}
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createApp } from 'sluice'
import { openapi } from 'sluice/openapi'
import { about } from '../src/document.ts'
import { registerOperations } from '../src/operations.ts'

interface Request { readonly params?: Fields; readonly query?: Fields; readonly headers?: Fields; readonly body?: Body }
interface Body { readonly json?: unknown; readonly form?: Values; readonly files?: Values }
type Values = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string>>

interface Operation { readonly method: string; readonly template: string; readonly path: string; readonly sample?: Request; readonly broken?: Request }

/** \`sample\` has what is required. \`broken\` is put in its place in another request, which must be refused. */
const lines = readFileSync(new URL('operations.jsonl', import.meta.url), 'utf8').split('\\n').filter(Boolean)
const operations = lines.map((line) => JSON.parse(line) as Operation)

const app = createApp({ methodNotAllowed: true })
registerOperations(app)

test('the document of the application has every operation', () => {
  const { paths } = openapi(app, about)
  const known = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => \`\${method.toUpperCase()} \${path}\`))
  const wanted = operations.map(({ method, path }) => \`\${method} \${path.replace(/:([\\w-]+)/g, '{$1}')}\`)
  assert.deepEqual(wanted.filter((one) => !known.some((other) => sameRoute(one, other))), [])
})

for (const { method, template, path, sample, broken } of operations) {
  test(\`\${method} \${template} accepts a request of the document\`, { skip: sample ? false : 'write one: no sample could be made' }, async () => {
    const { status } = await send(method, path, sample ?? {})
    assert.ok(![400, 405, 415, 422].includes(status), \`status \${status}\`)
  })
  if (sample && broken)
    test(\`\${method} \${template} refuses a request that does not fit\`, async () => {
      const { status } = await send(method, path, merge(sample, broken))
      assert.ok([400, 415, 422].includes(status), \`status \${status}\`)
    })
}

const sameRoute = (one: string, other: string): boolean => one.replace(/\\{[^}]+\\}/g, '{}') === other.replace(/\\{[^}]+\\}/g, '{}')

const merge = (sample: Request, broken: Request): Request => ({
  params: { ...sample.params, ...broken.params },
  query: { ...sample.query, ...broken.query },
  headers: { ...sample.headers, ...broken.headers },
  body: broken.body ?? sample.body ?? {},
})

const send = async (method: string, path: string, { params = {}, query = {}, headers = {}, body = {} }: Request): Promise<Response> => {
  const filled = path.replace(/:([\\w-]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))
  const url = \`\${filled}?\${new URLSearchParams(query)}\`
  if (body.json !== undefined)
    return app.request(url, { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body.json) })
  const form = body.form ?? body.files
  if (form === undefined) return app.request(url, { method, headers })
  const data = body.files ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) data.append(name, fieldOf(one) as string)
  return app.request(url, { method, headers, body: data })
}

/** A file is written as \`{ file: its text }\`. */
const fieldOf = (value: unknown): string | Blob => {
  const { file } = Object(value) as { file?: string }
  if (file !== undefined) return new Blob([file])
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
`
