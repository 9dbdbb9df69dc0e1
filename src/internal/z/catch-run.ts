import { type Issue, ValidationError } from '../schema/validation-error.ts'
import type { Call, Run, Use } from './definition.ts'
import { finalIssues, INVALID } from './report.ts'
import { type Fallback, valueOf } from './wrap-runs.ts'

/** Issues of the inner schema are not reported: only the function of `catch` gets them. */
export const makeCatch = (def: Fallback, use: Use, call: Call): Run => {
  const run = use(def.inner)
  const ask = valueOf(def, call)
  return (input) => {
    const caught: Issue[] = []
    const out = run(input, caught)
    if (out !== INVALID && !caught.length) return out
    return ask({
      input,
      get error() {
        return new ValidationError(finalIssues(caught))
      },
    })
  }
}
