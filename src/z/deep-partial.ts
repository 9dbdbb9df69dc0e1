import { deepen } from '../internal/z/deepen.ts'
import type { AnyCore } from '../internal/z/definition.ts'
import type { DeepPartial } from './all/object.ts'

export type { DeepPartial } from './all/object.ts'

/**
 * The same schema with every key optional, in objects inside objects, arrays and tuples too.
 *
 * @example
 * deepPartial(object({ a: object({ b: string() }) })).parse({ a: {} }) // { a: {} }
 */
export const deepPartial = <T extends AnyCore>(schema: T): DeepPartial<T> => deepen(schema) as never
