import { type Issue, ValidationError } from '../schema/validation-error.ts'
import type { AnyCore, Call, Run, Use } from './definition.ts'
import { finalIssues, INVALID } from './report.ts'

interface WrapperDefinition {
  readonly inner: AnyCore
}

interface FallbackDefinition extends WrapperDefinition {
  readonly value: unknown
}

export const makeSame = ({ inner }: WrapperDefinition, use: Use): Run => use(inner)

export const makeOptional = ({ inner }: WrapperDefinition, use: Use): Run => {
  const run = use(inner)
  return (value, issues) => (value === undefined ? value : run(value, issues))
}

export const makeNullable = ({ inner }: WrapperDefinition, use: Use): Run => {
  const run = use(inner)
  return (value, issues) => (value === null ? value : run(value, issues))
}

export const makeReadonly = ({ inner }: WrapperDefinition, use: Use): Run => unless(use(inner), Object.freeze)

export const makePipe = ({ inner, target }: WrapperDefinition & { target: AnyCore }, use: Use): Run =>
  unless(use(inner), use(target))

export const makeDefault = (def: FallbackDefinition, use: Use, call: Call): Run => {
  const run = use(def.inner)
  const fallback = fallbackOf(def, call)
  return (value, issues) => run(value === undefined ? fallback() : value, issues)
}

/** Issues of the inner schema are not reported: only the function of `catch` gets them. */
export const makeCatch = (def: FallbackDefinition, use: Use, call: Call): Run => {
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
const fallbackOf = ({ value }: FallbackDefinition, call: Call): ((context?: object) => unknown) =>
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
