import type { AnySchema } from './schema.ts'
import type { Nullable, Optional } from './types.ts'

/**
 * `schema.optional()`.
 *
 * @example
 * optional(string()).parse(undefined) // undefined
 */
export const optional = <T extends AnySchema>(schema: T): Optional<T> => schema.optional() as Optional<T>

/**
 * `schema.nullable()`.
 *
 * @example
 * nullable(string()).parse(null) // null
 */
export const nullable = <T extends AnySchema>(schema: T): Nullable<T> => schema.nullable() as Nullable<T>
