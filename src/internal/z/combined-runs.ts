import type { Issue } from '../../errors/validation-error.ts'
import { withoutStack } from '../schema/without-stack.ts'
import { isPlain, plainOf } from './checks.ts'
import type { AnyCore, Definition, Run, RunOf } from './definition.ts'
import type { Params } from './issue.ts'
import { INVALID, report, typeName } from './report.ts'

/** The output is that of the first option without issues, else of the first that is not `INVALID`, with its issues. */
export const makeUnion = ({ options, params }: { options: readonly AnyCore[]; params?: Params }, use: RunOf): Run => {
  const runs: readonly Run[] = options.map(use)
  const plains = options.map(plainOf)
  const typeOnly = plains.map(({ kind, holds }) => ['string', 'number', 'boolean'].includes(kind!) && !holds.length)

  return (value, issues) => {
    const tried: Issue[][] = []
    let kept: { out: unknown; issues: Issue[] } | undefined
    for (let index = 0; index < runs.length; index++) {
      if (isPlain(plains[index]!, value)) return value
      // Only the type was wrong: its issues are made if no other option accepts the value
      if (typeOnly[index]) continue
      const optionIssues: Issue[] = []
      const out = runs[index]!(value, optionIssues)
      if (out !== INVALID) {
        if (!optionIssues.length) return out
        kept ??= { out, issues: optionIssues }
      }
      tried[index] = optionIssues
    }
    if (kept) {
      for (const issue of kept.issues) issues.push(issue)
      return kept.out
    }
    const unionErrors = runs.map((run, index) => {
      const memberIssues = tried[index] ?? []
      if (!tried[index]) run(value, memberIssues)
      return withoutStack(memberIssues)
    })
    return report(issues, value, { code: 'invalid_union', unionErrors }, params?.error ?? 'Invalid input', params)
  }
}

export const makeIntersection = (def: Definition & { left: AnyCore; right: AnyCore }, use: RunOf): Run => {
  const first: Run = use(def.left)
  const second: Run = use(def.right)
  return (value, issues) => {
    const a = first(value, issues)
    const b = second(value, issues)
    if (a === INVALID || b === INVALID) return INVALID
    const merged = merge(a, b)
    if (merged !== INVALID) return merged
    const text = 'Intersection results could not be merged'
    return report(issues, value, { code: 'invalid_intersection_types' }, text, def.params)
  }
}

/** Merges objects by key and arrays by item; other values must be equal. */
const merge = (a: unknown, b: unknown): unknown => {
  if (a === b) return a
  const type = typeName(a)
  if (type !== typeName(b)) return INVALID
  if (type === 'date') return Number(a) === Number(b) ? a : INVALID
  const isList = type === 'array'
  if (isList ? (a as KeyedObject).length !== (b as KeyedObject).length : type !== 'object') return INVALID
  const out: KeyedObject = isList ? ([] as never) : {}
  for (const [key, value] of Object.entries({ ...(a as KeyedObject), ...(b as KeyedObject) })) {
    if (key === '__proto__') continue
    const inBoth = Object.hasOwn(a as KeyedObject, key) && Object.hasOwn(b as KeyedObject, key)
    const merged = inBoth ? merge((a as KeyedObject)[key], value) : value
    if (merged === INVALID) return INVALID
    out[key] = merged
  }
  return out
}

type KeyedObject = { [key: string]: unknown }
