import type { PlannedFile } from '../project/write.ts'
import { block, escapeSeparators, HEADER, indented, literal } from './code.ts'
import { createComponents } from './components.ts'
import { type ApiDocument, type Note, partOf } from './document.ts'
import { notesPage } from './notes.ts'
import { type Operation, operationsOf } from './operations.ts'

/** The order in which the linter of a project wants imported names. */
const byName = new Intl.Collator('en', { numeric: true, caseFirst: 'upper' }).compare

/** The files of a project that come from a document, and the notes on what they leave out. */
export interface FromDocument {
  readonly files: readonly PlannedFile[]
  readonly notes: readonly Note[]
  readonly count: number
  /** The path of the health check, which the document does not use. */
  readonly health: string
}

/** A handler of the project. */
const TODO = `/** A handler that is not written yet. */
const todo = (name: string) => (ctx: Context) => refuse(ctx, 501, \`\${name} is not written yet\`)
`

/** Reads the numbers of paths, queries, headers and forms. `Number` alone takes a space for 0, and 0x10 for 16. */
const TO_NUMBER = `/** Converts a string of decimal digits to a number; other strings stay, and no number accepts them. */
const toNumber = (text: unknown): unknown =>
  typeof text === 'string' && /^-?\\d+(\\.\\d+)?(e[+-]?\\d+)?$/i.test(text) ? Number(text) : text
`

/** Write schemas, routes and tests of an OpenAPI document. */
export const filesFrom = (source: ApiDocument): FromDocument => {
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
    health:
      ['/health', '/healthz'].find((path) => !operations.some((operation) => operation.path === path)) ?? '/__health',
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
      { path: 'FROM.md', contents: notesPage(source.notes) },
    ],
  }
}

/** The parts of a document other than its operations, as options of `openapiRoute`. */
const documentModule = ({ root }: ApiDocument): string => {
  const { info, servers, security, tags, components } = root
  const { securitySchemes } = partOf(components)
  const { title = 'API', version = '0.0.0', ...more } = partOf(info)
  const members = {
    info: { title: String(title), version: String(version), ...more },
    // The reference page calls the first one
    ...(Array.isArray(servers) && { servers: [{ url: '/', description: 'This server' }, ...servers] }),
    ...(security !== undefined && { security }),
    ...(tags !== undefined && { tags }),
    ...(securitySchemes !== undefined && { securitySchemes }),
  }
  const text = escapeSeparators(JSON.stringify(members, null, 2))
  return [
    HEADER,
    `import type { OpenApiOptions } from 'sluice/openapi'`,
    '',
    '/** The parts of the OpenAPI document other than its operations. */',
    `export const about: OpenApiOptions = ${text}`,
    '',
  ].join('\n')
}

const routesModule = (operations: readonly Operation[], constants: readonly string[]): string => {
  const steps = operations.flatMap((operation) => operation.steps).join('\n')
  // A text of the document may look like code
  const code = steps.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  const validators = ['validateBody', 'validateHeaders', 'validateParams', 'validateQuery'].filter((name) =>
    code.includes(`${name}(`),
  )
  return [
    HEADER,
    `import { ${operations.length ? 'type Context, ' : ''}createApp } from 'sluice'`,
    ...(validators.length ? [`import { ${validators.join(', ')} } from 'sluice/middleware/validator'`] : []),
    ...(operations.length ? [`import { describe } from 'sluice/openapi'`, `import { refuse } from 'sluice/pipe'`] : []),
    ...(/\bz\./.test(code) ? [`import * as z from 'sluice/z'`] : []),
    ...(constants.length ? [block('import {', constants.toSorted(byName), `} from './schemas.ts'`)] : []),
    '',
    ...(/\btoNumber\b/.test(code) ? [TO_NUMBER] : []),
    ...(operations.length ? [TODO] : []),
    ...chainsOf(operations.map(routeCode)),
    '',
  ].join('\n')
}

const routeCode = ({ method, path, steps, name }: Operation): string => {
  const call = method === 'options' ? 'httpOptions' : method
  return block(`.${call}(`, [literal(path), ...steps, `todo(${literal(name)})`], ')')
}

/** Routes of one chain: the compiler gives up on the type of a much longer one. */
const MAX_CHAIN = 50

const chainsOf = (routes: readonly string[]): readonly string[] => {
  const about =
    '/** The routes of the document. Replace `todo` with a handler: `ctx.state.valid` has what the validators read. */'
  if (routes.length <= MAX_CHAIN) return [about, `export ${chainOf('operations', routes)}`]
  const count = Math.ceil(routes.length / MAX_CHAIN)
  const names = Array.from({ length: count }, (_, index) => `operations${index + 1}`)
  const chains = names.map((name, index) => chainOf(name, routes.slice(index * MAX_CHAIN, (index + 1) * MAX_CHAIN)))
  const mounted = names.map((name) => `.mount('/', ${name})`)
  return [...chains, about, `export ${chainOf('operations', mounted)}`]
}

const chainOf = (name: string, calls: readonly string[]): string =>
  [`const ${name} = createApp<unknown, object>()`, ...calls.map(indented), ''].join('\n')

/** A request for each operation. It is not code: the compiler gives up on the type of a long list. */
const requestsFile = (operations: readonly Operation[]): string => {
  const rows = operations.map(({ method, template, path, sample, broken }) =>
    JSON.stringify({ method: method.toUpperCase(), template, path, sample, broken }),
  )
  return rows.map((row) => `${row}\n`).join('')
}
