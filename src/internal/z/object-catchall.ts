import type { Run, Use } from './definition.ts'
import { type Rest, runProperty } from './object-run.ts'
import type { ObjectDefinition } from './object-types.ts'
import { MAX_ISSUES } from './report.ts'

/** Keeps the keys that the shape does not have, if the schema of `catchall` accepts their values. */
export const makeCatchall = ({ shape, catchall }: ObjectDefinition, use: Use): Rest => {
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
