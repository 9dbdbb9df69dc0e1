import type { AnyCore, Definition, Run } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { isThenable, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'
import { parseAsync } from './parse-async.ts'

interface PromiseDefinition extends Definition {
  readonly inner: AnyCore
}

/** The schema that `promise()` returns. */
export class PromiseSchema<out Inner extends AnyCore> extends Schema<
  Promise<Inner['_output']>,
  Promise<Inner['_input']>
> {
  declare readonly def: PromiseDefinition

  /** The schema of the value. */
  unwrap(): Inner {
    return this.def.inner as Inner
  }
}

const makePromise =
  ({ inner, params }: PromiseDefinition): Run =>
  (value, issues) => {
    if (!isThenable(value) || typeof (value as Promise<unknown>).catch !== 'function')
      return wrongType(issues, value, 'promise', params)
    const parsed = Promise.resolve(value).then((resolved) => parseAsync(inner, resolved))
    // It is not returned if another value is refused, so its rejection must not end the process
    parsed.catch(() => undefined)
    return parsed
  }

/**
 * Accept promises, and return a promise of the inner schema's output for their value. `parseAsync` accepts the value
 * itself too. Reports `invalid_type`; the promise that it returns is rejected with the issues of the value.
 *
 * @example
 * await promise(number()).parse(Promise.resolve(5)) // 5
 */
export const promise = <Inner extends AnyCore>(inner: Inner, params?: Params): PromiseSchema<Inner> =>
  new PromiseSchema<Inner>({ type: 'promise', inner, params } as Definition, makePromise)
