import type { Issue, PathKey } from '../../errors/validation-error.ts'
import { isPlain, type Plain, plainOf } from './checks.ts'
import type { AnyCore, Run, RunOf } from './definition.ts'
import type { ObjectDefinition } from './object-types.ts'
import { INVALID, MAX_ISSUES, report, typeName, under, wrongType } from './report.ts'

export type KeyedObject = { [key: PathKey]: unknown }

/** True for an object that is not an array, date, map, set or promise. Most have `Object` as their `constructor`. */
export const isObject = (value: unknown): value is KeyedObject =>
  (value as object | undefined)?.constructor === Object || typeName(value) === 'object'

/** Parses the keys that the shape does not have; false if one of their values is invalid. */
export type Rest = (input: KeyedObject, output: KeyedObject, issues: Issue[]) => boolean

/** The definition of objects, with the run for keys that the shape does not have. */
export interface WithRest extends ObjectDefinition {
  readonly makeRest?: ((def: ObjectDefinition, use: RunOf) => Rest) | undefined
}

/** A key of the shape. */
export interface Field extends Plain {
  readonly key: string
  readonly run: Run
}

/** Every key of the shape is parsed, even if it is missing. */
export const makeObject = (def: WithRest, use: RunOf): Run => {
  const { shape, params } = def
  const fields = Object.entries<AnyCore>(shape).map(
    ([key, field]): Field => ({ key, run: use(field), ...plainOf(field) }),
  )
  const count = fields.length
  // A constructor of plain objects. Each shape has its own, for which the engine learns how much memory outputs need
  // biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
  const Output = function () {} as unknown as { new (): KeyedObject; prototype: object }
  Output.prototype = Object.prototype
  // Members that every object inherits count only when they are its own; `__proto__` never reaches an output
  const risky = fields.some(({ key }) => key in Object.prototype)
  const restRun = def.makeRest?.(def, use)

  return (input, issues) => {
    if (!isObject(input)) return wrongType(issues, input, 'object', params)
    const output = new Output()
    let valid = true
    let index = 0
    // Most inputs have the order of the shape: a loop over their keys reads values faster than a look-up of each
    if (!risky)
      for (const key in input) {
        const field = fields[index]
        if (!field) break
        if (key !== field.key) continue
        const value = input[key]
        if (isPlain(field, value)) output[key] = value
        else if (!runProperty(key, field.run, value, input, output, issues)) valid = false
        index++
      }
    for (; index < count; index++) {
      const { key, run } = fields[index]!
      const value = risky && key in Object.prototype && !Object.hasOwn(input, key) ? undefined : input[key]
      if (!runProperty(key, run, value, input, output, issues)) valid = false
    }
    if (restRun) valid = restRun(input, output, issues) && valid
    return valid ? output : INVALID
  }
}

/** Parse the value of one key; false if there is no output. */
const runProperty = (
  key: string,
  run: Run,
  value: unknown,
  input: KeyedObject,
  output: KeyedObject,
  issues: Issue[],
): boolean => {
  const issueCount = issues.length
  const out = run(value, issues)
  if (issues.length > issueCount) under(issues, issueCount, key)
  if (out === INVALID) return false
  if ((out !== undefined || key in input) && key !== '__proto__') output[key] = out
  return true
}

/** Keeps the keys that the shape does not have, refuses them, or leaves them out. */
export const makeRest =
  ({ shape, unknownKeys, params, strictMessage }: ObjectDefinition): Rest =>
  (input, output, issues) => {
    const keys: string[] = []
    for (const key in input) {
      if (Object.hasOwn(shape, key)) continue
      if (unknownKeys !== 'passthrough') keys.push(key)
      else if (input[key] !== undefined && key !== '__proto__') output[key] = input[key]
    }
    if (unknownKeys === 'strict' && keys[0] !== undefined) {
      const text = `Unrecognized key(s) in object: ${keys.map((key) => `'${key}'`).join(', ')}`
      report(issues, input, { code: 'unrecognized_keys', keys, message: strictMessage }, text, params)
    }
    return true
  }

/** Keeps the keys that the shape does not have, if the schema of `catchall` accepts their values. */
export const makeCatchall = ({ shape, catchall }: ObjectDefinition, use: RunOf): Rest => {
  const run: Run = use(catchall!)
  return (input, output, issues) => {
    let valid = true
    for (const key in input) {
      if (Object.hasOwn(shape, key)) continue
      valid = runProperty(key, run, input[key], input, output, issues) && valid
      if (issues.length >= MAX_ISSUES) return false
    }
    return valid
  }
}
