import type { Issue } from '../internal/validation-error.ts'
import type { Use } from './definition.ts'
import type { Params } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { INVALID, type Run, report } from './run.ts'
import type { AnySchema } from './schema.ts'

/** The first option without issues wins; then the first that kept its value, with its issues; else all of them are told. */
export const makeUnion = ({ options, params }: { options: readonly AnySchema[]; params?: Params }, use: Use): Run => {
  const runs = options.map((option) => use(option) as Run<unknown>)
  const plains = options.map(plainOf)
  return (value, issues) => {
    const tried: Issue[][] = []
    let found: Issue[] = []
    let kept: { out: unknown; found: Issue[] } | undefined
    for (let index = 0; index < runs.length; index++) {
      const plain = plains[index]!
      if (isPlain(plain, value)) return value
      // Nothing but the type was wrong: what it has to say is asked for when no other option has accepted the value.
      if (plain.kind && !plain.holds.length) continue
      const out = runs[index]!(value, found)
      if (out !== INVALID) {
        if (!found.length) return out
        kept ??= { out, found }
      }
      tried[index] = found
      found = []
    }
    if (kept) {
      for (const issue of kept.found) issues.push(issue)
      return kept.out
    }
    const unionErrors = runs.map((run, index) => tried[index] ?? issuesOf(run, value))
    const data = { code: 'invalid_union', unionErrors: unionErrors as never } as const
    return report(issues, value, data, 'Invalid input', params)
  }
}

const issuesOf = (run: Run<unknown>, value: unknown): Issue[] => {
  const issues: Issue[] = []
  run(value, issues)
  return issues
}
