import { bound, type Checked, countText, fail, withBound } from './checks.ts'
import type { Check, Use } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { INVALID, MOST_ISSUES, type Run, under, wrongType } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'

export interface ArrayDefinition<Item extends AnySchema = AnySchema> extends Checked {
  readonly inner: Item
}

/** Is one item sure to be there. */
export type Cardinality = 'many' | 'atleastone'

type ItemsOf<T, Card extends Cardinality> = Card extends 'atleastone' ? [T, ...T[]] : T[]

/** Of `array()`. */
export class ArraySchema<Item extends AnySchema, Card extends Cardinality = 'many'> extends Schema<
  ItemsOf<Item['_output'], Card>,
  ItemsOf<Item['_input'], Card>
> {
  declare readonly def: ArrayDefinition<Item>

  /** The schema of the items. */
  get element(): Item {
    return this.def.inner
  }

  /** At least so many items. */
  min(length: number, message?: Message): this {
    return withBound(this, 'min', atLeast(length, message))
  }

  /** At most so many items. */
  max(length: number, message?: Message): this {
    return withBound(this, 'max', atMost(length, message))
  }

  /** Exactly so many items. */
  length(length: number, message?: Message): this {
    return withBound(this, 'length', atLeast(length, message, true), atMost(length, message, true))
  }

  /** At least one item, in the type too. */
  nonempty(message?: Message): ArraySchema<Item, 'atleastone'> {
    return this.min(1, message) as never
  }
}

const text = /* @__PURE__ */ countText('Array', 'element')

const atLeast = (length: number, message?: Message, exact?: boolean): Check =>
  bound('min', 'array', length, (value: readonly unknown[]) => value.length >= length, text, message, true, exact)

const atMost = (length: number, message?: Message, exact?: boolean): Check =>
  bound('max', 'array', length, (value: readonly unknown[]) => value.length <= length, text, message, true, exact)

/** A run for arrays: the checks, then every item. */
export const makeArray = ({ inner, checks, params }: ArrayDefinition, use: Use): Run => {
  const run: Run<unknown> = use(inner)
  const plain = plainOf(inner)
  return (input, issues) => {
    if (!Array.isArray(input)) return wrongType(issues, input, 'array', params)
    for (const check of checks) if (!check.holds(input)) fail(check, input, issues, params)
    const output: unknown[] = [...input]
    let valid = true
    let known = issues.length
    for (let index = 0; index < output.length; index++) {
      const item = output[index]
      if (isPlain(plain, item)) continue
      const out = run(item, issues)
      if (issues.length > known) {
        under(issues, known, index)
        known = issues.length
        if (known >= MOST_ISSUES) return INVALID
      }
      if (out === INVALID) valid = false
      else output[index] = out
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept arrays whose items `item` accepts.
 *
 * Reports `invalid_type`; its checks `too_small` and `too_big`.
 *
 * @example
 * array(number()).nonempty().parse([1, 2]) // [1, 2]
 */
export const array = <Item extends AnySchema>(item: Item, params?: Params): ArraySchema<Item> =>
  new ArraySchema({ type: 'array', inner: item, checks: [], params } as ArrayDefinition, makeArray)
