import { runChecks, sizeCheck, withBound } from '../internal/z/checks.ts'
import type { AnyCore, Check, CheckedDefinition, Run, RunOf } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { INVALID, MAX_ISSUES, under, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

interface SetDefinition extends CheckedDefinition {
  readonly inner: AnyCore
}

/** The schema that `set()` returns. */
export class SetSchema<out Item extends AnyCore> extends Schema<Set<Item['_output']>, Set<Item['_input']>> {
  declare readonly def: SetDefinition

  /** Require at least so many items. */
  min(size: number, message?: Message): this {
    return withBound(this, 'min', sizeOf('min', size, message))
  }

  /** Require at most so many items. */
  max(size: number, message?: Message): this {
    return withBound(this, 'max', sizeOf('max', size, message))
  }

  /** Require so many items. */
  size(size: number, message?: Message): this {
    return this.min(size, message).max(size, message)
  }

  /** Require at least one item. */
  nonempty(message?: Message): this {
    return this.min(1, message)
  }
}

const sizeOf = (kind: 'min' | 'max', limit: number, message?: Message): Check =>
  sizeCheck(kind, 'set', limit, (value: Set<unknown>) => value.size, 'Invalid input', message)

const makeSet = ({ inner, checks, params }: SetDefinition, use: RunOf): Run => {
  const run: Run = use(inner)
  return (input, issues) => {
    if (!(input instanceof Set)) return wrongType(issues, input, 'set', params)
    runChecks(checks, input, issues, params)
    const output = new Set()
    let valid = true
    let index = 0
    for (const item of input) {
      const start = issues.length
      const out = run(item, issues)
      under(issues, start, index++)
      if (out === INVALID) valid = false
      else output.add(out)
      if (issues.length >= MAX_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept a `Set` whose items fit. Reports `invalid_type`; its checks `too_small` and `too_big`; the paths of its issues
 * are `[index]`.
 *
 * @example
 * set(number()).parse(new Set([1, 2])).size // 2
 */
export const set = <Item extends AnyCore>(item: Item, params?: Params): SetSchema<Item> =>
  new SetSchema({ type: 'set', inner: item, checks: [], params } as CheckedDefinition, makeSet)
