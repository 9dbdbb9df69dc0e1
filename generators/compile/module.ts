import { emitSchema } from './emit.ts'
import { createInsight } from './insight.ts'
import type { Fallback } from './piece.ts'
import { isSchema, type Schema } from './schema.ts'

/** The result for one exported schema. */
export interface CompiledSchema {
  readonly names: readonly string[]
  readonly type: string
  /** `part`: the interpreter runs some of its parts. */
  readonly state: 'whole' | 'part' | 'interpreted'
  readonly fallbacks: readonly Fallback[]
}

/** A generated module, and for each of its lines the line of the source, from 0. */
export interface WrittenModule {
  readonly text: string
  readonly lines: readonly (number | undefined)[]
  readonly report: readonly CompiledSchema[]
}

/** The helpers that generated code may import. */
const HELPERS = ['at', 'compiled', 'INVALID', 'interpreted', 'isObject', 'MISS', 'quiet', 'runIn', 'runOf']

/**
 * Generate a module that exports everything of another one, with its schemas compiled.
 *
 * @param exports What the module exports, as it was imported.
 * @param source Text of the module, for the lines of its schemas.
 * @param from Specifier by which the written module imports it.
 */
export const writeModule = (
  exports: Readonly<Record<string, unknown>>,
  source: string,
  from: string,
): WrittenModule => {
  const insight = createInsight()
  const body: string[] = []
  const lines: (number | undefined)[] = []
  const list: string[] = []
  const report = schemasOf(exports).map(([schema, names], index): CompiledSchema => {
    const { lines: code, fallbacks } = emitSchema(schema, insight)
    const { type } = schema.def
    if (!code) return { names, type, state: 'interpreted', fallbacks }
    const text = [
      `const s${index} = /* @__PURE__ */ compiled(source.${names[0]}, (schema, own) => {`,
      ...code.map((line) => `  ${line}`),
      '})',
    ]
    body.push(...text)
    lines.push(...text.map(() => lineOf(source, names[0]!)))
    list.push(...names.map((name) => `s${index} as ${name}`))
    return { names, type, state: fallbacks.length ? 'part' : 'whole', fallbacks }
  })
  const used = HELPERS.filter((name) => body.some((line) => new RegExp(`\\b${name}\\b`).test(line)))
  const specifier = JSON.stringify(from)
  const plainDefault = 'default' in exports && !list.some((entry) => entry.endsWith(' as default'))
  const head = [
    ...(list.length
      ? [`import { ${used.join(', ')} } from 'sluice/z/compiled'`, `import * as source from ${specifier}`]
      : []),
    `export * from ${specifier}`,
    ...(plainDefault ? [`export { default } from ${specifier}`] : []),
  ]
  const foot = list.length ? [`export { ${list.join(', ')} }`] : []
  return {
    text: [...head, ...body, ...foot, ''].join('\n'),
    lines: [...head.map(() => undefined), ...lines, ...foot.map(() => undefined)],
    report,
  }
}

/** A name that needs no quotes. */
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Each schema once, with the names under which it is exported. */
const schemasOf = (exports: Readonly<Record<string, unknown>>): [Schema, string[]][] => {
  const names = new Map<Schema, string[]>()
  for (const [name, value] of Object.entries(exports))
    if (NAME.test(name) && isSchema(value)) names.set(value, [...(names.get(value) ?? []), name])
  return [...names]
}

/** The line, from 0, on which a module declares an export; undefined if it is not found. */
const lineOf = (source: string, name: string): number | undefined => {
  const plain = name.replaceAll('$', '\\$')
  const declared =
    name === 'default'
      ? /^\s*export\s+default\b/
      : new RegExp(`^\\s*(?:export\\s+)?(?:const|let|var)\\s+${plain}(?![\\w$])`)
  const line = source.split('\n').findIndex((text) => declared.test(text))
  return line < 0 ? undefined : line
}
