import type { Issue } from '../internal/validation-error.ts'
import type { Call, Use } from './definition.ts'
import type { IssueData, Params, RefinementContext } from './issue.ts'
import { INVALID, type Run, report, sync } from './run.ts'
import type { AnySchema } from './schema.ts'

interface Effect {
  readonly inner: AnySchema
  readonly params?: Params
}

interface Collector extends RefinementContext {
  added: IssueData[]
}

type UserFunction = (value: unknown, context?: RefinementContext) => unknown

/** `refine` brings `words`, which make the issue; `superRefine` adds its issues itself. */
export const makeEffect = (
  { inner, check, words }: Effect & { check: UserFunction; words?: (value: unknown) => object },
  use: Use,
  call: Call,
): Run => {
  const run = use(inner)
  const ask = call(check)
  return (value, issues) => {
    const out = run(value, issues)
    if (out === INVALID) return out
    if (!words) {
      const context = collector()
      sync(ask(out, context))
      return add(issues, value, context.added) ? INVALID : out
    }
    if (sync(ask(out))) return out
    return add(issues, value, [{ code: 'custom', ...words(out) }]) ? INVALID : out
  }
}

export const makeTransform = (
  { inner, change, params }: Effect & { change: UserFunction },
  use: Use,
  call: Call,
): Run => {
  const run = use(inner)
  const ask = call(change)
  return (value, issues) => {
    const start = issues.length
    const out = run(value, issues)
    if (out === INVALID || issues.length > start) return INVALID
    const context = collector()
    const changed = sync(ask(out, context))
    return add(issues, value, context.added, params) ? INVALID : changed
  }
}

export const makePreprocess = ({ inner, change }: Effect & { change: UserFunction }, use: Use, call: Call): Run => {
  const run = use(inner)
  const ask = call(change)
  return (value, issues) => {
    const context = collector()
    const changed = sync(ask(value, context))
    return add(issues, value, context.added) ? INVALID : run(changed, issues)
  }
}

/** Holds back what user code adds, so that it can be replayed when the code is asynchronous. */
const collector = (): Collector => {
  const added: IssueData[] = []
  return {
    added,
    addIssue: (issue) => {
      added.push(issue)
    },
  }
}

/** Report what user code added; true when one of the issues is fatal. */
const add = (issues: Issue[], value: unknown, added: readonly IssueData[], params?: Params): boolean => {
  let fatal = false
  for (const issue of added) {
    report(issues, value, { ...issue, path: [...(issue.path ?? [])] }, 'Invalid input', params)
    fatal ||= !!issue.fatal
  }
  return fatal
}
