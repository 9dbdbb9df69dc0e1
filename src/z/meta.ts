import { derive } from '../internal/z/core.ts'
import { type AnyCore, type Meta, metaOf } from '../internal/z/definition.ts'

/**
 * The same schema with a title, examples or other facts for its readers, added to those that it has. JSON
 * Schema repeats them.
 *
 * @example
 * toJsonSchema(meta(string(), { title: 'Name' })) // { type: 'string', title: 'Name', … }
 */
export const meta = <T extends AnyCore>(schema: T, facts: Meta): T => {
  const merged = { ...metaOf(schema.def), ...facts }
  return derive(schema, { ...schema.def, meta: merged, description: merged.description })
}
