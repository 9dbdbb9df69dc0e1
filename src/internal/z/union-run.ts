import { type Issue, withoutStack } from '../schema/validation-error.ts'
import type { AnyCore, Run, Use } from './definition.ts'
import type { Params } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { INVALID, report } from './report.ts'

/** The first option without issues wins, else the first that kept its value, with its issues, else all are reported. */
export const makeUnion = ({ options, params }: { options: readonly AnyCore[]; params?: Params }, use: Use): Run => {
  const runs: readonly Run[] = options.map(use)
  const plains = options.map(plainOf)
  const bare = plains.map(({ kind, holds }) => ['string', 'number', 'boolean'].includes(kind!) && !holds.length)

  return (value, issues) => {
    const tried: Issue[][] = []
    let dirty: { out: unknown; found: Issue[] } | undefined
    for (let index = 0; index < runs.length; index++) {
      if (isPlain(plains[index]!, value)) return value
      // Only the type was wrong: its issues are made if no other option accepts the value.
      if (bare[index]) continue
      const optionIssues: Issue[] = []
      const out = runs[index]!(value, optionIssues)
      if (out !== INVALID) {
        if (!optionIssues.length) return out
        dirty ??= { out, found: optionIssues }
      }
      tried[index] = optionIssues
    }
    if (dirty) {
      for (const issue of dirty.found) issues.push(issue)
      return dirty.out
    }
    const unionErrors = runs.map((run, index) => {
      const memberIssues = tried[index] ?? []
      if (!tried[index]) run(value, memberIssues)
      return withoutStack(memberIssues)
    })
    return report(issues, value, { code: 'invalid_union', unionErrors }, params?.error ?? 'Invalid input', params)
  }
}
