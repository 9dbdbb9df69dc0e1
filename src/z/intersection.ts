import { makeIntersection } from '../internal/z/combined-runs.ts'
import type { AnyCore } from '../internal/z/definition.ts'
import { create, Schema } from '../internal/z/schema.ts'

/**
 * Accept values of both schemas; their outputs are merged deeply. The same as `left.and(right)`. Reports
 * `invalid_intersection_types` when the outputs contradict each other.
 *
 * @example
 * intersection(object({ a: string() }), object({ b: string() })).parse({ a: 'x', b: 'y' }) // { a: 'x', b: 'y' }
 */
export const intersection = <Left extends AnyCore, Right extends AnyCore>(
  left: Left,
  right: Right,
): Left['~more'] & Schema<Left['_output'] & Right['_output'], Left['_input'] & Right['_input']> => {
  const { params } = left.def
  return create(left, Schema, { type: 'intersection', left, right, params }, makeIntersection)
}
