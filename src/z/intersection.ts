import type { AnySchema, Schema } from './schema.ts'

/**
 * Accept what both schemas accept; their outputs are merged, deeply. The same as `left.and(right)`.
 *
 * Reports `invalid_intersection_types` when the outputs contradict each other.
 *
 * @example
 * intersection(object({ a: string() }), object({ b: string() })).parse({ a: 'x', b: 'y' }) // { a: 'x', b: 'y' }
 */
export const intersection = <Left extends AnySchema, Right extends AnySchema>(
  left: Left,
  right: Right,
): Schema<Left['_output'] & Right['_output'], Left['_input'] & Right['_input']> => left.and(right)
