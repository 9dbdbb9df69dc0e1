import type { Issue } from '../schema/validation-error.ts'
import type { AnyCore, Call, Run, Use } from './definition.ts'
import { type IssueData, messageOf, type Params, type RefinementContext } from './issue.ts'
import { INVALID, report, sync } from './report.ts'
import { unless } from './wrap-runs.ts'

interface EffectDefinition {
  readonly inner: AnyCore
  readonly params?: Params
  readonly check: UserFunction
  /** Makes the issue of `refine`; a function of `superRefine` adds issues itself. */
  readonly words?: (value: unknown) => object
  readonly change: UserFunction
}

type UserFunction = (value: unknown, context?: RefinementContext) => unknown

export const makeEffect = ({ inner, check, words }: EffectDefinition, use: Use, call: Call): Run => {
  const run = use(inner)
  const passes = call(check)
  return (value, issues) => {
    const out = run(value, issues)
    if (out === INVALID) return out
    if (!words) return callUserCode(passes, out, issues, value)[1] ? INVALID : out
    if (sync(passes(out))) return out
    return addUserIssues(issues, value, [{ code: 'custom', ...words(out) }]) ? INVALID : out
  }
}

export const makeTransform = ({ inner, change, params }: EffectDefinition, use: Use, call: Call): Run => {
  const run = use(inner)
  const convert = call(change)
  const convertOutput = (out: unknown, issues: Issue[], value: unknown): unknown => {
    const [changed, fatal] = callUserCode(convert, out, issues, value, params)
    return fatal ? INVALID : changed
  }
  return unless(run, convertOutput, INVALID)
}

export const makePreprocess = ({ inner, change }: EffectDefinition, use: Use, call: Call): Run => {
  const run = use(inner)
  const convert = call(change)
  return (value, issues) => {
    const [changed, fatal] = callUserCode(convert, value, issues, value)
    return fatal ? INVALID : run(changed, issues)
  }
}

/** Its issues are reported when it has ended, so that `parseAsync` can replay them. */
const callUserCode = (
  fn: UserFunction,
  input: unknown,
  issues: Issue[],
  value: unknown,
  params?: Params,
): readonly [out: unknown, fatal: boolean] => {
  const context: RefinementContext = { issues: [], addIssue: (issue) => void context.issues.push(issue) }
  return [sync(fn(input, context)), addUserIssues(issues, value, context.issues, params)]
}

/** Report the issues that user code added; true if one of them is fatal. */
const addUserIssues = (issues: Issue[], value: unknown, added: readonly IssueData[], params?: Params): boolean => {
  for (const { '~text': text = 'Invalid input', ...issue } of added as readonly (IssueData & { '~text'?: string })[])
    report(issues, value, { ...issue, message: messageOf(issue), path: [...(issue.path ?? [])] }, text, params)
  return added.some((issue) => issue.fatal)
}
