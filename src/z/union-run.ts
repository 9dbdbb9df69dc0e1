import type { Issue } from '../internal/validation-error.ts'
import type { Use } from './definition.ts'
import type { Params } from './issue.ts'
import { isPlain, plainKind } from './plain.ts'
import { INVALID, type Run, report } from './run.ts'
import type { AnySchema } from './schema.ts'

/** The first option without issues wins; then the first that kept its value, with its issues; else all of them are told. */
export const makeUnion = ({ options, params }: { options: readonly AnySchema[]; params?: Params }, use: Use): Run => {
  const runs = options.map((option) => use(option) as Run<unknown>)
  const kinds = options.map(plainKind)
  return (value, issues) => {
    const tried: Issue[][] = []
    let found: Issue[] = []
    let kept: { out: unknown; found: Issue[] } | undefined
    for (let index = 0; index < runs.length; index++) {
      if (kinds[index]) {
        if (isPlain(kinds[index]!, value)) return value
        continue
      }
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
    // What a plain option has to say is asked for when no other has accepted the value.
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
