import type { Issue } from '../schema/validation-error.ts'
import type { AnyCore, Call, Run, Use } from './definition.ts'
import { INVALID } from './report.ts'

interface WrapperDefinition {
  readonly inner: AnyCore
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

export interface Fallback extends WrapperDefinition {
  readonly value: unknown
}

/**
 * The value of `default` or `catch`: a fixed value, or the result of a function. A list or plain object is copied for
 * each parse, because the receiver may change it.
 */
export const valueOf = ({ value }: Fallback, call: Call): ((context?: object) => unknown) =>
  typeof value === 'function'
    ? call(value as () => unknown)
    : Array.isArray(value)
      ? () => [...value]
      : (value as object | undefined)?.constructor === Object
        ? () => ({ ...(value as object) })
        : () => value

export const makeDefault = (def: Fallback, use: Use, call: Call): Run => {
  const run = use(def.inner)
  const ask = valueOf(def, call)
  return (value, issues) => run(value === undefined ? ask() : value, issues)
}

/** A run that continues with the output of another if that one had no issues, else returns the result of `failed`. */
export const unless =
  (first: Run, next: (out: unknown, issues: Issue[], value: unknown) => unknown, failed?: typeof INVALID): Run =>
  (value, issues) => {
    const start = issues.length
    const out = first(value, issues)
    return out === INVALID || issues.length > start ? (failed ?? out) : next(out, issues, value)
  }

export const makePipe = ({ inner, target }: WrapperDefinition & { target: AnyCore }, use: Use): Run => {
  const first = use(inner)
  const second = use(target)
  return unless(first, second)
}

export const makeReadonly = ({ inner }: WrapperDefinition, use: Use): Run => {
  return unless(use(inner), Object.freeze)
}
