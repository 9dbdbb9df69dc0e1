import type { Issue } from '../../errors/validation-error.ts'
import { isPlain, plainOf } from './checks.ts'
import type { AnyCore, CheckedDefinition, Run, RunOf } from './definition.ts'
import type { Field, KeyedObject } from './object-run.ts'
import type { ObjectDefinition } from './object-types.ts'
import { INVALID } from './report.ts'

/** The smallest form of `wrongType`: no messages of schemas, and no error maps. */
const refuseType = (issues: Issue[], value: unknown, expected: string): never => {
  const received = Number.isNaN(value) ? 'nan' : tagOf(value)
  const message = value === undefined ? 'Required' : `Expected ${expected}, received ${received}`
  issues.push({ code: 'invalid_type', expected, received, path: [], message })
  return INVALID
}

/** Such as `array`, `null` or `date`. `typeName` of the chain needs more bytes. */
const tagOf = (value: unknown): string => ({}).toString.call(value).slice(8, -1).toLowerCase()

/** A run that tests the type, then every check: the smallest form of `makeChecked`. */
export const makeLeaf = (def: CheckedDefinition): Run => {
  const { type, checks } = def
  const plain = plainOf({ def })
  return (value, issues) => {
    if (isPlain(plain, value)) return value
    if (typeof value !== type || Number.isNaN(value)) return refuseType(issues, value, type)
    for (const { holds, issue, text, message = text } of checks)
      if (!holds(value)) issues.push({ ...issue, path: [], message } as Issue)
    return value
  }
}

/** A run that parses every key of the shape: the smallest form of `makeObject`. */
export const makeKeys = ({ shape }: ObjectDefinition, use: RunOf): Run => {
  const fields = Object.entries<AnyCore>(shape).map(
    ([key, field]): Field => ({ key, run: use(field), ...plainOf(field) }),
  )
  // A constructor of plain objects. Each shape has its own, for which the engine learns how much memory outputs need
  // biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
  const Output = function () {} as unknown as { new (): KeyedObject; prototype: object }
  Output.prototype = Object.prototype
  // Members that every object inherits count only when they are its own; `__proto__` never reaches an output
  const risky = fields.some(({ key }) => key in Object.prototype)
  const run = (input: KeyedObject | undefined, issues: Issue[]): unknown => {
    if (input?.constructor !== Object && tagOf(input) !== 'object') return refuseType(issues, input, 'object')
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
        else if (!runField(field, value, input, output, issues)) valid = false
        index++
      }
    for (; index < fields.length; index++) {
      const field = fields[index]!
      const value = risky && !Object.hasOwn(input!, field.key) ? undefined : input![field.key]
      if (!runField(field, value, input!, output, issues)) valid = false
    }
    return valid ? output : INVALID
  }
  return run as Run
}

/** Parse the value of one key; false if there is no output. */
const runField = (
  { key, run }: Field,
  value: unknown,
  input: KeyedObject,
  out: KeyedObject,
  issues: Issue[],
): boolean => {
  const issueCount = issues.length
  const result = run(value, issues)
  for (const issue of issues.slice(issueCount)) issue.path.unshift(key)
  if (result === INVALID) return false
  if ((result !== undefined || key in input) && key !== '__proto__') out[key] = result
  return true
}
