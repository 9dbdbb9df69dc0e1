import type { Issue } from '../internal/validation-error.ts'
import type { Use } from './definition.ts'
import type { ObjectDefinition } from './object.ts'
import { INVALID, report, under } from './run.ts'

type Keyed = { [key: string]: unknown }

/** Looks at the keys that the shape does not have; false when one of their values is invalid. */
export type Rest = (input: Keyed, output: Keyed, issues: Issue[]) => boolean

/** What happens to the keys that the shape does not have; false when one of their values is invalid. */
export const makeRest = ({ shape, unknownKeys, catchall, params, strictMessage }: ObjectDefinition, use: Use): Rest => {
  const run = catchall ? use(catchall) : (value: unknown) => value
  return (input, output, issues) => {
    const keys: string[] = []
    for (const key in input) if (!Object.hasOwn(shape, key)) keys.push(key)
    if (!catchall && unknownKeys === 'strict') {
      const text = `Unrecognized key(s) in object: ${keys.map((key) => `'${key}'`).join(', ')}`
      if (keys.length) report(issues, input, { code: 'unrecognized_keys', keys, message: strictMessage }, text, params)
      return true
    }
    let valid = true
    for (const key of keys) {
      const start = issues.length
      const out: unknown = run(input[key], issues)
      under(issues, start, key)
      if (out === INVALID) valid = false
      else if (key !== '__proto__' && (catchall || out !== undefined)) output[key] = out
    }
    return valid
  }
}
