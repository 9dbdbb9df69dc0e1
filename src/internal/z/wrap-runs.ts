import { type Issue, ValidationError } from '../../errors/validation-error.ts'
import type { AnyCore, Call, Run, RunOf } from './definition.ts'
import { type IssueData, messageOf, type Params, type RefinementContext } from './issue.ts'
import { finalIssues, INVALID, report, sync } from './report.ts'

/** The parts of wrappers of all kinds. */
interface WrapperDefinition {
  readonly inner: AnyCore
  readonly params?: Params
  readonly target: AnyCore
  readonly value: unknown
  readonly check: UserFunction
  /** Makes the issue of `refine`; a function of `superRefine` adds issues itself. */
  readonly words?: (value: unknown) => object
  readonly change: UserFunction
}

type UserFunction = (value: unknown, context?: RefinementContext) => unknown

export const makeSame = ({ inner }: WrapperDefinition, use: RunOf): Run => use(inner)

export const makeOptional = ({ inner }: WrapperDefinition, use: RunOf): Run => {
  const run = use(inner)
  return (value, issues) => (value === undefined ? value : run(value, issues))
}

export const makeNullable = ({ inner }: WrapperDefinition, use: RunOf): Run => {
  const run = use(inner)
  return (value, issues) => (value === null ? value : run(value, issues))
}

export const makeReadonly = ({ inner }: WrapperDefinition, use: RunOf): Run => unless(use(inner), Object.freeze)

export const makePipe = ({ inner, target }: WrapperDefinition, use: RunOf): Run => unless(use(inner), use(target))

export const makeDefault = (def: WrapperDefinition, use: RunOf, call: Call): Run => {
  const run = use(def.inner)
  const fallback = fallbackOf(def, call)
  return (value, issues) => run(value === undefined ? fallback() : value, issues)
}

/** Issues of the inner schema are not reported: only the function of `catch` gets them. */
export const makeCatch = (def: WrapperDefinition, use: RunOf, call: Call): Run => {
  const run = use(def.inner)
  const fallback = fallbackOf(def, call)
  return (input) => {
    const issues: Issue[] = []
    const out = run(input, issues)
    if (out !== INVALID && !issues.length) return out
    return fallback({
      input,
      get error() {
        return new ValidationError(finalIssues(issues))
      },
    })
  }
}

/** A list or plain object is copied for each parse, because the receiver may change it. */
const fallbackOf = ({ value }: WrapperDefinition, call: Call): ((context?: object) => unknown) =>
  typeof value === 'function'
    ? call(value as () => unknown)
    : Array.isArray(value)
      ? () => [...value]
      : (value as object | undefined)?.constructor === Object
        ? () => ({ ...(value as object) })
        : () => value

/** A run that continues with the output of another if that one had no issues, else returns the result of `failed`. */
export const unless =
  (first: Run, next: (out: unknown, issues: Issue[], value: unknown) => unknown, failed?: typeof INVALID): Run =>
  (value, issues) => {
    const start = issues.length
    const out = first(value, issues)
    return out === INVALID || issues.length > start ? (failed ?? out) : next(out, issues, value)
  }

export const makeEffect = ({ inner, check, words }: WrapperDefinition, use: RunOf, call: Call): Run => {
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

export const makeTransform = ({ inner, change, params }: WrapperDefinition, use: RunOf, call: Call): Run => {
  const run = use(inner)
  const convert = call(change)
  const convertOutput = (out: unknown, issues: Issue[], value: unknown): unknown => {
    const [changed, fatal] = callUserCode(convert, out, issues, value, params)
    return fatal ? INVALID : changed
  }
  return unless(run, convertOutput, INVALID)
}

export const makePreprocess = ({ inner, change }: WrapperDefinition, use: RunOf, call: Call): Run => {
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
