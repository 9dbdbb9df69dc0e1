import type { AnyCore, Definition } from '../internal/z/definition.ts'
import { type LazyDefinition, makeLazy } from '../internal/z/nested.ts'
import { Schema } from '../internal/z/schema.ts'

/** The schema that `lazy()` returns. */
export class LazySchema<out T extends AnyCore> extends Schema<T['_output'], T['_input']> {
  declare readonly def: LazyDefinition

  /** The schema that the function returns. */
  get schema(): T {
    return this.def.getter() as T
  }
}

/**
 * Get the schema when it is needed, so that a schema can contain itself. Follows 500 levels, of all recursive schemas
 * together; deeper input, and input that contains itself, is reported with `custom`.
 *
 * @example
 * const comment: Schema<Comment> = object({ text: string(), replies: array(lazy(() => comment)) })
 */
export const lazy = <T extends AnyCore>(getter: () => T): LazySchema<T> =>
  new LazySchema<T>({ type: 'lazy', getter } as Definition, makeLazy)
