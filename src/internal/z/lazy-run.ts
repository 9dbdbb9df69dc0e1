import type { AnyCore, Definition, Run, Use } from './definition.ts'
import { nested } from './nested.ts'

/** The definition of `lazy()`. */
export interface LazyDefinition extends Definition {
  readonly getter: () => AnyCore
}

/** The run of a schema that a function returns. The function may return a new one each time. */
export const makeLazy = (def: LazyDefinition, use: Use): Run => {
  const run: Run = (value, issues) => use(def.getter())(value, issues)
  return (value, issues) => nested(def, run, value, issues)
}
