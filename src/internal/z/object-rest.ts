import type { Rest } from './object-run.ts'
import type { ObjectDefinition } from './object-types.ts'
import { report } from './report.ts'

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
