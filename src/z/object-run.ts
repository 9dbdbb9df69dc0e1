import type { Use } from './definition.ts'
import type { ObjectDefinition } from './object.ts'
import { INVALID, type Run, typeName, under, wrongType } from './run.ts'

type Keyed = { [key: string]: unknown }

/** Is it an object that is no array, date, map, set or promise. Most are plain, which is quick to see. */
export const isObject = (value: unknown): value is Keyed =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || typeName(value) === 'object')

/** Every key of the shape is asked, also when it is missing; what is not in the shape goes as `unknownKeys` and `catchall` say. */
export const makeObject = (def: ObjectDefinition, use: Use): Run => {
  const { shape, unknownKeys, catchall, params } = def
  const keys = Object.keys(shape)
  const runs = keys.map((key) => use(shape[key]!))
  const count = keys.length
  // Members that every object inherits count only when they are its own; `__proto__` never reaches an output.
  const risky = keys.some((key) => key in Object.prototype)
  const rest = unknownKeys === 'strip' && !catchall ? undefined : def.makeRest?.(def, use)
  return (input, issues) => {
    if (!isObject(input)) return wrongType(issues, input, 'object', params)
    const output: Keyed = {}
    let valid = true
    let known = issues.length
    for (let index = 0; index < count; index++) {
      const key = keys[index]!
      const value = risky && key in Object.prototype && !Object.hasOwn(input, key) ? undefined : input[key]
      const out: unknown = runs[index]!(value, issues)
      if (issues.length > known) {
        under(issues, known, key)
        known = issues.length
      }
      if (out === INVALID) valid = false
      else if ((out !== undefined || key in input) && !(risky && key === '__proto__')) output[key] = out
    }
    if (rest) valid = rest(input, output, issues) && valid
    return valid ? output : INVALID
  }
}
