import { type Issue, withoutStack } from '../schema/validation-error.ts'
import type { AnyCore, Run, Use } from './definition.ts'
import type { Params } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { INVALID, report } from './report.ts'

/** The output is that of the first option without issues, else of the first that is not `INVALID`, with its issues. */
export const makeUnion = ({ options, params }: { options: readonly AnyCore[]; params?: Params }, use: Use): Run => {
  const runs: readonly Run[] = options.map(use)
  const plains = options.map(plainOf)
  const typeOnly = plains.map(({ kind, holds }) => ['string', 'number', 'boolean'].includes(kind!) && !holds.length)

  return (value, issues) => {
    const tried: Issue[][] = []
    let kept: { out: unknown; issues: Issue[] } | undefined
    for (let index = 0; index < runs.length; index++) {
      if (isPlain(plains[index]!, value)) return value
      // Only the type was wrong: its issues are made if no other option accepts the value.
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
