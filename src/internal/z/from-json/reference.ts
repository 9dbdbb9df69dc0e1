import type { AnyCore, Definition, Make, Run } from '../definition.ts'
import { nested } from '../nested.ts'
import { INVALID } from '../report.ts'

/** What `nested` reports. */
export const DEEP = 'Nested too deeply, or in a circle'

/** How often a value was too deep to know whether it fits: what asks whether it does not fit looks here. */
export const tooDeep = { count: 0 }

/** Values that were too deep once. What is known of them is repeated without being looked at again. */
const deepOnes: WeakSet<object> = /* @__PURE__ */ new WeakSet()

/** A `$ref`, which may lead back to itself. */
export const makeReference: Make = (def: Definition & { getter: () => AnyCore }, use) => {
  const run: Run = (value, issues) => use(def.getter())(value, issues)
  return (value, issues) => {
    const { count } = tooDeep
    const out = nested(def, run, value, issues)
    const last = issues.at(-1)
    const refused = out === INVALID && last?.message === DEEP && !last.path.length
    const keyed = typeof value === 'object' && value !== null
    if (refused || (keyed && deepOnes.has(value))) tooDeep.count++
    if (keyed && tooDeep.count > count) deepOnes.add(value)
    return out
  }
}
