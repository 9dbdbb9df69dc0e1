import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept everything; the type is `any`.
 *
 * @example
 * any().parse(5) // 5
 */
// any: the user asks for it
export const any = (params?: Params): Schema<any> => simple('any', params, () => true)

/**
 * Accept `true` and `false`. Reports `invalid_type`.
 *
 * @example
 * boolean().parse(true) // true
 */
export const boolean = (params?: Params): Schema<boolean> => simple('boolean', params)

/**
 * Accept `NaN` alone. Reports `invalid_type`.
 *
 * @example
 * nan().parse(Number.NaN) // NaN
 */
export const nan = (params?: Params): Schema<number> => simple('nan', params, Number.isNaN)

/**
 * Accept nothing. Reports `invalid_type`.
 *
 * @example
 * never().safeParse(5).success // false
 */
export const never = (params?: Params): Schema<never> => simple('never', params, () => false)

/**
 * Accept `null`: `z.null()`. Reports `invalid_type`.
 *
 * @example
 * nullValue().parse(null) // null
 */
const nullValue = (params?: Params): Schema<null> => simple('null', params, (value) => value === null)

/**
 * Accept symbols. Reports `invalid_type`.
 *
 * @example
 * symbol().safeParse('x').success // false
 */
export const symbol = (params?: Params): Schema<symbol> => simple('symbol', params)

/**
 * Accept `undefined`: `z.undefined()`. Reports `invalid_type`.
 *
 * @example
 * undefinedValue().parse(undefined) // undefined
 */
const undefinedValue = (params?: Params): Schema<undefined> => simple('undefined', params)

/**
 * Accept everything; the type is `unknown`.
 *
 * @example
 * unknown().parse(5) // 5
 */
export const unknown = (params?: Params): Schema<unknown> => simple('unknown', params, () => true)

/**
 * Accept `undefined`, as the result of a function that returns nothing: `z.void()`. Reports `invalid_type`.
 *
 * @example
 * voidValue().parse(undefined) // undefined
 */
const voidValue = (params?: Params): Schema<void> => simple('void', params, (value) => value === undefined)

export { nullValue as null, undefinedValue as undefined, voidValue as void }
