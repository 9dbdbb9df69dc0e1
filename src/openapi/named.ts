import type { AnySchema } from '../any-schema.ts'
import { setName } from '../internal/openapi/names.ts'

/**
 * Give a schema a name in documents: it stands below `components.schemas` once, and is referred to, also by itself.
 *
 * Gives back the same schema. What is made from it, such as `User.partial()`, is another schema without a name.
 *
 * @throws {TypeError} for a name with other characters than letters, digits, `.`, `-` and `_`, and for a schema that has
 * another name.
 * @example
 * const User = named('User', object({ name: string() }))
 */
export const named = <S extends AnySchema>(name: string, schema: S): S => {
  setName(name, schema)
  return schema
}
