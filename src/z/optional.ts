import type { AnyCore } from '../internal/z/definition.ts'
import { type Nullable, type Optional, wrap } from '../internal/z/schema.ts'
import { makeNullable, makeOptional } from '../internal/z/wrap-runs.ts'

/**
 * Accept `undefined` too, like `schema.optional()`.
 *
 * @example
 * optional(string()).parse(undefined) // undefined
 */
export const optional = <T extends AnyCore>(schema: T): Optional<T> => wrap(schema, 'optional', makeOptional)

/**
 * Accept `null` too, like `schema.nullable()`.
 *
 * @example
 * nullable(string()).parse(null) // null
 */
export const nullable = <T extends AnyCore>(schema: T): Nullable<T> => wrap(schema, 'nullable', makeNullable)
