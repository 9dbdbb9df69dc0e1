import type { Issue } from '../internal/validation-error.ts'
import type { Use } from './definition.ts'
import type { Params } from './issue.ts'
import { INVALID, type Run, report } from './run.ts'
import type { AnySchema } from './schema.ts'

/** The first option without issues wins; then the first that kept its value, with its issues; else all of them are told. */
export const makeUnion = ({ options, params }: { options: readonly AnySchema[]; params?: Params }, use: Use): Run => {
  const runs = options.map(use)
  return (value, issues) => {
    const unionErrors: Issue[][] = []
    let kept: { out: unknown; found: Issue[] } | undefined
    for (const run of runs) {
      const found: Issue[] = []
      const out: unknown = run(value, found)
      if (out !== INVALID) {
        if (!found.length) return out
        kept ??= { out, found }
      }
      unionErrors.push(found)
    }
    if (!kept)
      return report(
        issues,
        value,
        { code: 'invalid_union', unionErrors: unionErrors as never },
        'Invalid input',
        params,
      )
    for (const issue of kept.found) issues.push(issue)
    return kept.out
  }
}
