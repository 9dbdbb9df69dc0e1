import { setName } from '../internal/openapi/names.ts'
import { checkOption } from '../internal/options/check.ts'
import { isSchema } from '../internal/schema/check-value.ts'
import type { AnySchema } from '../internal/types/any-schema.ts'

/**
 * Give a schema a name in documents: it is once in `components.schemas`, and every use refers to it, even inside
 * itself.
 *
 * Returns the same schema. A schema derived from it, such as `User.partial()`, has no name.
 *
 * @throws {TypeError} for a name with other characters than letters, digits, `.`, `-` and `_`, and for a schema that
 * has another name.
 * @example
 * const User = named('User', object({ name: string() }))
 */
export const named = <S extends AnySchema>(name: string, schema: S): S => {
  checkOption(isSchema(schema), 'named: schema', 'a schema', schema)
  setName(name, schema)
  return schema
}
