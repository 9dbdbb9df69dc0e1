import { bound, type Checked, fail, withBound } from './checks.ts'
import type { Use } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { INVALID, MOST_ISSUES, type Run, under, wrongType } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'

interface SetDefinition extends Checked {
  readonly inner: AnySchema
}

/** Of `set()`. */
export class SetSchema<Item extends AnySchema> extends Schema<Set<Item['_output']>, Set<Item['_input']>> {
  declare readonly def: SetDefinition

  /** At least so many items. */
  min(size: number, message?: Message): this {
    return withBound(
      this,
      'min',
      bound('min', 'set', size, (value: Set<unknown>) => value.size >= size, text, message),
    )
  }

  /** At most so many items. */
  max(size: number, message?: Message): this {
    return withBound(
      this,
      'max',
      bound('max', 'set', size, (value: Set<unknown>) => value.size <= size, text, message),
    )
  }

  /** So many items. */
  size(size: number, message?: Message): this {
    return this.min(size, message).max(size, message)
  }

  /** At least one item. */
  nonempty(message?: Message): this {
    return this.min(1, message)
  }
}

const text = (): string => 'Invalid input'

const makeSet = ({ inner, checks, params }: SetDefinition, use: Use): Run => {
  const run: Run<unknown> = use(inner)
  return (input, issues) => {
    if (!(input instanceof Set)) return wrongType(issues, input, 'set', params)
    for (const check of checks) if (!check.holds(input)) fail(check, input, issues, params)
    const output = new Set()
    let valid = true
    let index = 0
    for (const item of input) {
      const start = issues.length
      const out = run(item, issues)
      under(issues, start, index++)
      if (out === INVALID) valid = false
      else output.add(out)
      if (issues.length >= MOST_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept a `Set` whose items fit.
 *
 * Reports `invalid_type`; its checks `too_small` and `too_big`; the paths of its issues are `[index]`.
 *
 * @example
 * set(number()).parse(new Set([1, 2])).size // 2
 */
export const set = <Item extends AnySchema>(item: Item, params?: Params): SetSchema<Item> =>
  new SetSchema({ type: 'set', inner: item, checks: [], params } as Checked, makeSet)
