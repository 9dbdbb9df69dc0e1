import { HEADER } from './code.ts'

/** The tests of the operations; `hasDatabase` gives their handlers one. */
export const operationsTest = (hasDatabase: boolean): string =>
  `${HEADER}
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { ${hasDatabase ? 'after, before, ' : ''}test } from 'node:test'
import { createApp, methodNotAllowed } from 'sluice'
import { openapi } from 'sluice/openapi'
import { about } from '../src/document.ts'
import { operations } from '../src/operations.ts'
${hasDatabase ? "import { openTestDatabase } from './database.ts'\n" : ''}
interface Request { readonly params?: Fields; readonly query?: Fields; readonly headers?: Fields; readonly body?: Body }
interface Body { readonly json?: unknown; readonly form?: Values; readonly files?: Values }
type Values = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string>>

interface Operation { readonly method: string; readonly template: string; readonly path: string; readonly sample?: Request; readonly broken?: Request }

/** \`sample\` has what is required. \`broken\` is put in its place in another request, which must be refused. */
const lines = readFileSync(new URL('operations.jsonl', import.meta.url), 'utf8').split('\\n').filter(Boolean)
const requests = lines.map((line) => JSON.parse(line) as Operation)

const app = createApp({ methodNotAllowed }).mount('/', operations)
${
  hasDatabase
    ? `
let close = async (): Promise<void> => {}
before(async () => {
  close = await openTestDatabase()
})
after(() => close())
`
    : ''
}
test('the document of the application has every operation', () => {
  const { paths } = openapi(app, about)
  const known = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => \`\${method.toUpperCase()} \${path}\`))
  const wanted = requests.map(({ method, path }) => \`\${method} \${path.replace(/:([\\w-]+)/g, '{$1}')}\`)
  assert.deepEqual(wanted.filter((one) => !known.some((other) => sameRoute(one, other))), [])
})

for (const { method, template, path, sample, broken } of requests) {
  test(\`\${method} \${template} accepts a request of the document\`, { skip: sample ? false : 'write one: no sample could be made' }, async () => {
    const { status } = await send(method, path, sample ?? {})
    assert.ok(status === 501 || (status < 500 && ![400, 405, 415, 422].includes(status)), \`status \${status}\`)
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
