import type { Issue } from '../internal/validation-error.ts'
import { ValidationError } from '../internal/validation-error.ts'
import type { Call, Use } from './definition.ts'
import { INVALID, type Run, settle } from './run.ts'
import type { AnySchema } from './schema.ts'

interface Wrapping {
  readonly inner: AnySchema
}

export const makeSame = ({ inner }: Wrapping, use: Use): Run => use(inner)

export const makeOptional = ({ inner }: Wrapping, use: Use): Run => {
  const run = use(inner)
  return (value, issues) => (value === undefined ? value : run(value, issues))
}

export const makeNullable = ({ inner }: Wrapping, use: Use): Run => {
  const run = use(inner)
  return (value, issues) => (value === null ? value : run(value, issues))
}

export const makeDefault = ({ inner, value: fallback }: Wrapping & { value: unknown }, use: Use, call: Call): Run => {
  const run = use(inner)
  const ask = typeof fallback === 'function' ? call(fallback) : () => fallback
  return (value, issues) => run(value === undefined ? ask() : value, issues)
}

/** Its issues go no further: they are only told to the function that gives the value. */
export const makeCatch = ({ inner, value: fallback }: Wrapping & { value: unknown }, use: Use, call: Call): Run => {
  const run = use(inner)
  const ask = typeof fallback === 'function' ? call(fallback) : () => fallback
  return (input) => {
    const found: Issue[] = []
    const out = run(input, found)
    if (out !== INVALID && !found.length) return out
    return ask({
      input,
      get error() {
        return new ValidationError(settle(found))
      },
    })
  }
}

export const makePipe = ({ inner, target }: Wrapping & { target: AnySchema }, use: Use): Run => {
  const first = use(inner)
  const second = use(target)
  return (value, issues) => {
    const start = issues.length
    const out = first(value, issues)
    return out === INVALID || issues.length > start ? out : second(out, issues)
  }
}

export const makeReadonly = ({ inner }: Wrapping, use: Use): Run => {
  const run = use(inner)
  return (value, issues) => {
    const start = issues.length
    const out = run(value, issues)
    return issues.length > start ? out : Object.freeze(out)
  }
}
