import { type Issue, type PathKey, withoutStack } from '../internal/validation-error.ts'
import type { ErrorMap, IssueData, Params, ParseOptions, Text } from './issue.ts'

/**
 * The rule of a schema: a value in, the output out. What is wrong is added to `issues`.
 *
 * With a finding the output still comes back, so that every check can report; only a value on which nothing further can run is `INVALID`.
 */
export type Run<Out = unknown> = (value: unknown, issues: Issue[]) => Out

/** What a run returns when there is no value to go on with; typed `never`, so that it fits every output. */
export const INVALID: never = /* @__PURE__ */ Symbol('invalid') as never

/** Several schemas and checks share texts; one map at a time can replace them all. */
let globalMap: ErrorMap | undefined

/**
 * Write the messages of every schema from now on; `undefined` returns to the texts that are built in.
 *
 * @example
 * setErrorMap((issue, { defaultError }) => ({ message: issue.code === 'invalid_type' ? 'Wrong type' : defaultError }))
 */
export const setErrorMap = (map?: ErrorMap): void => {
  globalMap = map
}

/**
 * Add an issue, and give back `INVALID` for runs that end with it.
 *
 * The text is made in {@link settle}, when it is known that the issue stays and what its whole path is.
 */
export const report = (issues: Issue[], data: unknown, found: IssueData, text: Text, params?: Params): never => {
  const write: Writer = (issue, map) => {
    issue.message = typeof text === 'string' ? text : text(issue)
    for (const each of [globalMap, params && mapOf(params), map]) {
      if (each) issue.message = each(issue, { data, defaultError: issue.message }).message
    }
  }
  found.path ??= []
  found.message ??= write as never
  issues.push(found as Issue)
  return INVALID
}

/** Stands in the place of a message that is still to be written. */
type Writer = (issue: Issue, map: ErrorMap | undefined) => void

/** What the parameters of a schema say about an issue: `errorMap`, else the texts for a missing and a wrong value. */
const mapOf =
  (params: Params): ErrorMap =>
  (issue, context) =>
    params.errorMap?.(issue, context) ?? { message: textOf(params, issue, context.data) ?? context.defaultError }

const textOf = (params: Params, { code }: Issue, data: unknown): string | undefined => {
  if (code === 'invalid_enum_value') return params.message
  if (data === undefined) return params.message ?? params.required_error
  return code === 'invalid_type' ? (params.message ?? params.invalid_type_error) : undefined
}

/** Write the messages that are still to be written: own texts, then the global map, the schema's, and the caller's. */
export const settle = (issues: Issue[], options?: ParseOptions): Issue[] => {
  for (const issue of issues) {
    if ('unionErrors' in issue) {
      issue.unionErrors = issue.unionErrors.map((list) => withoutStack(settle(list as never, options)))
    }
    const message = issue.message as string | Writer
    if (typeof message === 'function') message(issue, options?.errorMap)
  }
  return issues
}

/** Where arrays, sets, maps and records stop to look: a small body must not become a huge list of issues. */
export const MOST_ISSUES = 1000

/** Put `key` before the paths of all issues from the index `start` on, in alternatives of a union too. */
export const under = (issues: Issue[], start: number, key: PathKey): void => {
  for (let index = start; index < issues.length; index++) {
    const issue = issues[index]!
    issue.path.unshift(key)
    if ('unionErrors' in issue) for (const list of issue.unionErrors) under(list as never, 0, key)
  }
}

/** Report that a value has the wrong type. */
export const wrongType = (issues: Issue[], value: unknown, expected: string, params?: Params): never => {
  const received = typeName(value)
  // All keys from the start: an object that grows is slower to make.
  return report(
    issues,
    value,
    { code: 'invalid_type', expected, received, path: [], message: undefined },
    typeText,
    params,
  )
}

/** `Required`, or what was expected and what came. */
export const typeText = (issue: Issue): string => {
  const { expected, received } = issue as { expected: unknown; received: unknown } & Issue
  return received === 'undefined' ? 'Required' : `Expected ${expected}, received ${received}`
}

/** The name of a value's type: that of `typeof`, with `nan`, `null`, `array`, `promise`, `map`, `set` and `date` told apart. */
export const typeName = (value: unknown): string => {
  if (Number.isNaN(value)) return 'nan'
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'array'
  if (Object.getPrototypeOf(value) === Object.prototype) return 'object'
  return [Promise, Map, Set, Date].find((type) => value instanceof type)?.name.toLowerCase() ?? 'object'
}

/** What user code gave back, refused when it is a promise: only `parseAsync` waits. */
export const sync = <T>(result: T): T => {
  if (result instanceof Promise) throw new Error('A promise in a synchronous parse: use parseAsync(schema, value)')
  return result
}
