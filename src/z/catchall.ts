import { construct } from '../internal/z/core.ts'
import type { AnyCore, Make } from '../internal/z/definition.ts'
import { makeCatchall, makeObject, type WithRest } from '../internal/z/object-run.ts'
import type { UnknownKeys } from '../internal/z/object-types.ts'
import type { Shape } from '../internal/z/types.ts'
import type { ObjectSchema } from './object.ts'

/**
 * The same object schema, which keeps keys that its shape does not have if `rest` accepts their values.
 *
 * @example
 * catchall(object({ name: string() }), number()).parse({ name: 'Ada', age: 36 }) // { name: 'Ada', age: 36 }
 */
export const catchall = <T extends Shape, Unknown extends UnknownKeys, Rest extends AnyCore>(
  schema: ObjectSchema<T, Unknown>,
  rest: Rest,
): ObjectSchema<T, Unknown, Rest> => construct(schema.constructor, { ...schema.def, catchall: rest }, makeOpen)

const makeOpen: Make = (def: WithRest, use) => makeObject({ ...def, makeRest: makeCatchall }, use)
