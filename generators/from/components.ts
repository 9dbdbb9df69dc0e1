import { createNames, HEADER, literal } from './code.ts'
import { type ApiDocument, partOf } from './document.ts'
import { schemaCode } from './schema.ts'

/** The named schemas of a document, as a module. */
export interface Components {
  /** The constant of a named schema. It is written into the module, after those that it needs. */
  readonly refer: (name: string) => string
  /** The text of the module. */
  readonly text: () => string
  /** The constants of the module, in order. */
  readonly constants: readonly string[]
}

/** The compiler cannot infer the type of a constant from itself. */
const CIRCULAR = 'a schema that contains itself is checked, and has the type "any" in TypeScript'

/**
 * Write the schemas of `components`, each after those that it refers to. Those in a circle refer to each other lazily.
 */
export const createComponents = (source: ApiDocument): Components => {
  const schemas = partOf(partOf(source.root.components).schemas)
  const nameOf = createNames()
  const names = new Map(Object.keys(schemas).map((name) => [name, nameOf(name)]))
  const state = new Map<string, 'open' | 'done'>()
  const circular = new Set<string>()
  const constants: string[] = []
  const declarations: string[] = []

  const refer = (name: string): string => {
    const constant = names.get(name)
    if (constant === undefined) return 'z.unknown()'
    if (state.get(name) === 'open') {
      circular.add(name)
      return `z.lazy(() => ${constant})`
    }
    if (!state.has(name)) declare(name, constant)
    return constant
  }

  const declare = (name: string, constant: string): void => {
    state.set(name, 'open')
    const code = schemaCode(schemas[name], { source, where: name, asText: false, refer })
    state.set(name, 'done')
    const whole = names.get(code) ? code : wrap(name, code)
    const isCircular = circular.has(name)
    if (isCircular) source.notes.push({ where: name, what: CIRCULAR })
    const type = isCircular ? ': z.AnySchema' : ''
    constants.push(constant)
    declarations.push(`export const ${constant}${type} = ${whole}`)
  }

  /** A schema that only refers to another one is wrapped, because one schema cannot have two names. */
  const wrap = (name: string, code: string): string => {
    const isAlias = [...names.values()].includes(code)
    if (!/^[A-Za-z0-9._-]+$/.test(name)) {
      source.notes.push({ where: name, what: 'a schema of this name cannot be in the document of the application' })
      return code
    }
    return `named(${literal(name)}, ${isAlias ? `z.lazy(() => ${code})` : code})`
  }

  for (const name of Object.keys(schemas)) refer(name)
  return {
    refer,
    constants,
    text: () =>
      [
        HEADER,
        `import { named } from 'sluice/openapi'`,
        `import * as z from 'sluice/z'`,
        '',
        ...declarations.flatMap((declaration) => [declaration, '']),
      ].join('\n'),
  }
}
