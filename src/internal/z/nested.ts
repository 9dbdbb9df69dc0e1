import type { Issue } from '../../errors/validation-error.ts'
import type { AnyCore, Definition, Run, RunOf } from './definition.ts'
import { copyIssue, MAX_ISSUES, report } from './report.ts'

/** Deepest nesting that is followed; a stack of 1 MB suffices for it, and real documents stay far below. */
export const MAX_NESTED = 500

/** After so many visits, results of recursive schemas are remembered, so that alternatives cannot double the work. */
export const MANY_VISITS = 250

/** In such a long parse, an issue of a union holds at most so many issues of its members. */
const MAX_INSIDE = 50

export interface LazyDefinition extends Definition {
  readonly getter: () => AnyCore
}

/** The result of a recursive schema for a value, and the lengths of the paths of its issues at that time. */
interface NestedResult {
  readonly out: unknown
  readonly issues: readonly Issue[]
  readonly lengths: readonly number[]
}

/** The parse that is on the stack. It does not belong to a schema, since schemas contain each other. */
const recursion = { depth: 0, visits: 0, copies: 0 }

/** Each value and the recursive schemas that have parsed it; `undefined` while such a schema is parsing it. */
const visited: Map<unknown, Map<object, NestedResult | undefined>> = /* @__PURE__ */ new Map()

/**
 * The run of `lazy`. Reports a value that it is already parsing, and input nested deeper than `MAX_NESTED`. Results are
 * kept by definition, because `getter` may return a new schema each time.
 */
export const makeLazy =
  (def: LazyDefinition, use: RunOf): Run =>
  (value, issues) => {
    const isObject = typeof value === 'object' && value !== null
    // Alternatives that parse the same text or number would double with each level too
    const keyed = isObject || recursion.visits > MANY_VISITS
    const results = (keyed && visited.get(value)) || new Map<object, NestedResult | undefined>()
    const previous = results.get(def)
    if (previous) return repeatIssues(previous, value, issues)
    if (recursion.depth >= MAX_NESTED || results.has(def)) return reportEndless(issues, value)
    const start = issues.length
    let result: NestedResult | undefined
    if (keyed) visited.set(value, results.set(def, undefined))
    recursion.depth++
    try {
      const out: unknown = use(def.getter())(value, issues)
      if (++recursion.visits > MANY_VISITS) {
        const newIssues = issues.slice(start)
        shortenUnions(newIssues)
        if (isObject) result = { out, issues: newIssues, lengths: newIssues.map(({ path }) => path.length) }
      }
      return out
    } catch (error) {
      // Many wrappers around each level can fill the stack before so many levels
      if (error instanceof RangeError && /call stack/.test(error.message)) return reportEndless(issues, value)
      throw error
    } finally {
      if (result) results.set(def, result)
      else results.delete(def)
      if (!results.size) visited.delete(value)
      if (!--recursion.depth) {
        Object.assign(recursion, { visits: 0, copies: 0 })
        visited.clear()
      }
    }
  }

/** Report the remembered issues once more. Too many of them become one issue. */
const repeatIssues = ({ out, issues: remembered, lengths }: NestedResult, value: unknown, issues: Issue[]): unknown => {
  if (!remembered.length) return out
  recursion.copies += countIssues(remembered)
  if (recursion.copies > MAX_ISSUES) return report(issues, value, { code: 'custom' }, 'Invalid input')
  for (const [index, issue] of remembered.entries()) issues.push(copyIssue(issue, issue.path.length - lengths[index]!))
  return out
}

/** Leave out the issues of a union's members if there are many: they would double with each level. */
export const shortenUnions = (issues: readonly Issue[]): void => {
  for (const issue of issues) if ('unionErrors' in issue && countIssues([issue]) > MAX_INSIDE) issue.unionErrors = []
}

/** The number of issues, with those inside unions. */
export const countIssues = (issues: readonly Issue[]): number => {
  let sum = issues.length
  for (const issue of issues)
    if ('unionErrors' in issue) for (const error of issue.unionErrors) sum += countIssues(error.issues)
  return sum
}

export const reportEndless = (issues: Issue[], value: unknown): never =>
  report(issues, value, { code: 'custom' }, 'Nested too deeply, or circular')
