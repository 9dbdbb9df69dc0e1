import type { Issue, PathKey } from '../../errors/validation-error.ts'
import { withoutStack } from '../schema/without-stack.ts'
import type { IssueData, Params, ParseOptions } from './issue.ts'

/** The value that a run returns if there is no output; typed `never`, so that it fits every output. */
export const INVALID: never = /* @__PURE__ */ Symbol('invalid') as never

/** Remembers what an error map needs: the value, the built-in message, and the messages of the schema. */
export interface ErrorMapHooks {
  readonly add: (issue: Issue, data: unknown, text: string, params: Params | undefined) => void
  readonly copy: (from: Issue, to: Issue) => void
  readonly apply: (issues: Issue[], options?: ParseOptions) => Issue[]
}

/** Filled by `error-map.ts` when the first map is used: a bundle without error maps has none of their code. */
let errorMaps: ErrorMapHooks | undefined

export const setErrorMaps = (hooks: ErrorMapHooks): void => {
  errorMaps = hooks
}

export const finalIssues = (issues: Issue[], options?: ParseOptions): Issue[] =>
  errorMaps?.apply(issues, options) ?? issues

/** Add an issue, and return `INVALID` for runs that end with it. */
export const report = (issues: Issue[], data: unknown, facts: IssueData, text: string, params?: Params): never => {
  const issue = facts as Issue
  issue.path ??= []
  if (issue.message === undefined) {
    issue.message = (params && paramsText(params, issue.code, data)) ?? text
    errorMaps?.add(issue, data, text, params)
  }
  issues.push(issue)
  return INVALID
}

export const paramsText = (params: Params, code: string, data: unknown): string | undefined => {
  const text = params.message ?? params.error
  if (code === 'invalid_enum_value') return text
  if (data === undefined) return text ?? params.required_error
  return code === 'invalid_type' ? (text ?? params.invalid_type_error) : undefined
}

/** Arrays, sets, maps, records and further keys stop at so many issues: a short body must not cause a huge response. */
export const MAX_ISSUES = 1000

/** Put `key` before the paths of all issues from the index `start` on, in alternatives of a union too. */
export const under = (issues: readonly Issue[], start: number, key: PathKey): void => {
  for (let index = start; index < issues.length; index++) {
    const issue = issues[index]!
    issue.path.unshift(key)
    if ('unionErrors' in issue) for (const error of issue.unionErrors) under(error.issues, 0, key)
  }
}

export const wrongType = (issues: Issue[], value: unknown, expected: string, params?: Params): never => {
  const received = typeName(value)
  const text = value === undefined ? 'Required' : `Expected ${expected}, received ${received}`
  // All keys exist from the start: an object that grows is slower to make
  return report(issues, value, { code: 'invalid_type', expected, received, path: [], message: undefined }, text, params)
}

/** The type of a value: that of `typeof`, or `nan`, `null`, `array`, `promise`, `map`, `set` or `date`. */
export const typeName = (value: unknown): string => {
  const tag = {}.toString.call(value).slice(8, -1).toLowerCase()
  return Number.isNaN(value) ? 'nan' : /^(null|array|promise|map|set|date)$/.test(tag) ? tag : typeof value
}

export const PROMISE = 'A promise in a synchronous parse: use parseAsync'

/** The result of user code. @throws if it is a promise, or anything with `then`: only `parseAsync` waits. */
export const sync = <T>(result: T): T => {
  if (!isThenable(result)) return result
  // Nobody waits for this promise, and its rejection must not end the process
  Promise.resolve(result).catch(() => {})
  throw new Error(PROMISE)
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function'

/** A copy of an issue, without the first `skip` keys of its path. */
export const copyIssue = (issue: Issue, skip: number): Issue => {
  const copy: Issue = { ...issue, path: issue.path.slice(skip) }
  if ('unionErrors' in copy)
    copy.unionErrors = copy.unionErrors.map(({ issues }) => withoutStack(issues.map((inner) => copyIssue(inner, skip))))
  errorMaps?.copy(issue, copy)
  return copy
}
