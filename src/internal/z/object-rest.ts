import type { Run, Use } from './definition.ts'
import { put, type Rest } from './object-run.ts'
import type { ObjectDefinition } from './object-types.ts'
import { MOST_ISSUES, report } from './report.ts'

/** What happens to the keys that the shape does not have. */
export const makeRest = ({ shape, unknownKeys, catchall, params, strictMessage }: ObjectDefinition, use: Use): Rest => {
  const run: Run = catchall ? use(catchall) : (value) => value
  const keeps = catchall !== undefined || unknownKeys === 'passthrough'
  return (input, output, issues) => {
    const keys: string[] = []
    let valid = true
    for (const key in input) {
      if (Object.hasOwn(shape, key)) continue
      const value = input[key]
      if (!keeps) keys.push(key)
      else if (catchall || value !== undefined) valid = put(key, run, value, input, output, issues) && valid
      if (issues.length >= MOST_ISSUES) return false
    }
    if (unknownKeys === 'strict' && keys[0] !== undefined) {
      const text = `Unrecognized key(s) in object: ${keys.map((key) => `'${key}'`).join(', ')}`
      report(issues, input, { code: 'unrecognized_keys', keys, message: strictMessage }, text, params)
    }
    return valid
  }
}
