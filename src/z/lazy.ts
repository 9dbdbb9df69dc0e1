import type { AnyCore, Definition, Run, Use } from '../internal/z/definition.ts'
import { nested } from '../internal/z/nested.ts'
import { Schema } from '../internal/z/schema.ts'

interface LazyDefinition extends Definition {
  readonly getter: () => AnyCore
}

/** What `lazy()` returns. */
export class LazySchema<out T extends AnyCore> extends Schema<T['_output'], T['_input']> {
  declare readonly def: LazyDefinition

  /** The schema that the function returns. */
  get schema(): T {
    return this.def.getter() as T
  }
}

const makeLazy = (def: LazyDefinition, use: Use): Run => {
  const run: Run = (value, issues) => use(def.getter())(value, issues)
  return (value, issues) => nested(def, run, value, issues)
}

/**
 * Ask for the schema when it is needed, so that a schema can hold itself.
 *
 * Follows 500 levels, of all recursive schemas together; deeper input, and input that holds itself, is reported with
 * `custom`.
 *
 * @example
 * const comment: Schema<Comment> = object({ text: string(), replies: array(lazy(() => comment)) })
 */
export const lazy = <T extends AnyCore>(getter: () => T): LazySchema<T> =>
  new LazySchema<T>({ type: 'lazy', getter } as Definition, makeLazy)
