import type { Issue } from '../schema/validation-error.ts'
import type { AnyCore, Call, Run, Use } from './definition.ts'
import { type IssueData, messageOf, type Params, type RefinementContext } from './issue.ts'
import { INVALID, report, sync } from './report.ts'
import { unless } from './wrap-runs.ts'

interface Effect {
  readonly inner: AnyCore
  readonly params?: Params
}

type UserFunction = (value: unknown, context?: RefinementContext) => unknown

/** `refine` has `words`, which make the issue; `superRefine` adds its issues itself. */
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
    if (!words) return callUserCode(ask, out, issues, value)[1] ? INVALID : out
    if (sync(ask(out))) return out
    return addUserIssues(issues, value, [{ code: 'custom', ...words(out) }]) ? INVALID : out
  }
}

export const makeTransform = (
  { inner, change, params }: Effect & { change: UserFunction },
  use: Use,
  call: Call,
): Run => {
  const run = use(inner)
  const ask = call(change)
  return unless(
    run,
    (out, issues, value) => {
      const [changed, fatal] = callUserCode(ask, out, issues, value, params)
      return fatal ? INVALID : changed
    },
    INVALID,
  )
}

export const makePreprocess = ({ inner, change }: Effect & { change: UserFunction }, use: Use, call: Call): Run => {
  const run = use(inner)
  const ask = call(change)
  return (value, issues) => {
    const [changed, fatal] = callUserCode(ask, value, issues, value)
    return fatal ? INVALID : run(changed, issues)
  }
}

/** Run user code that may add issues; they are held back, so that asynchronous code can be replayed. */
const callUserCode = (
  ask: UserFunction,
  input: unknown,
  issues: Issue[],
  value: unknown,
  params?: Params,
): readonly [out: unknown, fatal: boolean] => {
  const context: RefinementContext = { issues: [], addIssue: (issue) => void context.issues.push(issue) }
  return [sync(ask(input, context)), addUserIssues(issues, value, context.issues, params)]
}

/** Report the issues that user code added; true if one of them is fatal. */
const addUserIssues = (issues: Issue[], value: unknown, added: readonly IssueData[], params?: Params): boolean => {
  for (const { '~text': text = 'Invalid input', ...issue } of added as readonly (IssueData & { '~text'?: string })[])
    report(issues, value, { ...issue, message: messageOf(issue), path: [...(issue.path ?? [])] }, text, params)
  return added.some((issue) => issue.fatal)
}
