import type { Issue } from '../internal/validation-error.ts'
import type { Definition, Use } from './definition.ts'
import { type Run, report } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'

/** Nesting that is followed; a stack of 1 MB has room for it, and documents that people write stay far below. */
export const MOST_NESTED = 500

interface LazyDefinition extends Definition {
  readonly getter: () => AnySchema
}

/** Of `lazy()`. */
export class LazySchema<T extends AnySchema> extends Schema<T['_output'], T['_input']> {
  declare readonly def: LazyDefinition

  /** The schema that the function returns. */
  get schema(): T {
    return this.def.getter() as T
  }
}

/** The values that are being looked at, outermost first: nesting without an end shows as a long list, a cycle as a value that is in it. */
const makeLazy = ({ getter }: LazyDefinition, use: Use): Run => {
  const open = new Set<unknown>()
  let depth = 0
  return (value, issues) => {
    const nested = typeof value === 'object' && value !== null
    if (depth >= MOST_NESTED || (nested && open.has(value))) return endless(issues, value)
    depth++
    if (nested) open.add(value)
    try {
      return use(getter())(value, issues)
    } finally {
      depth--
      open.delete(value)
    }
  }
}

/** Report that a value holds itself, or too many others inside of each other. */
export const endless = (issues: Issue[], value: unknown): never =>
  report(issues, value, { code: 'custom' }, 'Nested too deeply, or in a circle')

/**
 * Ask for the schema when it is needed, so that a schema can hold itself.
 *
 * Follows 500 levels of itself; deeper input, and input that holds itself, is reported with `custom`.
 *
 * @example
 * const comment: Schema<Comment> = object({ text: string(), replies: array(lazy(() => comment)) })
 */
export const lazy = <T extends AnySchema>(getter: () => T): LazySchema<T> =>
  new LazySchema<T>({ type: 'lazy', getter } as Definition, makeLazy)
