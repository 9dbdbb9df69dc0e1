import { arrayText, isPlain, plainOf, runChecks, sizeCheck, withBound } from '../internal/z/checks.ts'
import type { AnyCore, Check, CheckedDefinition, Run, RunOf } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { INVALID, MAX_ISSUES, under, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

/** The definition of an array schema: the schema of its items, and its checks. */
export interface ArrayDefinition<Item extends AnyCore = AnyCore> extends CheckedDefinition {
  readonly inner: Item
}

/** Whether there is at least one item. */
export type Cardinality = 'many' | 'atleastone'

type ItemsOf<T, Card extends Cardinality> = Card extends 'atleastone' ? [T, ...T[]] : T[]

/** The schema that `array()` returns. */
export class ArraySchema<out Item extends AnyCore, out Card extends Cardinality = 'many'> extends Schema<
  ItemsOf<Item['_output'], Card>,
  ItemsOf<Item['_input'], Card>
> {
  declare readonly def: ArrayDefinition<Item>
  /** Whether there is at least one item; only a type. */
  declare readonly '~cardinality': Card

  /** The schema of the items. */
  get element(): Item {
    return this.def.inner
  }

  /** Require at least so many items. */
  min(length: number, message?: Message): this {
    return withBound(this, 'min', size('min', length, 'at least', message))
  }

  /** Require at most so many items. */
  max(length: number, message?: Message): this {
    return withBound(this, 'max', size('max', length, 'at most', message))
  }

  /** Require exactly so many items. */
  length(length: number, message?: Message): this {
    return withBound(this, 'length', size('min', length, 'exactly', message), size('max', length, 'exactly', message))
  }

  /** Require at least one item, in the type too. */
  nonempty(message?: Message): this['~more'] & ArraySchema<Item, 'atleastone'> {
    return this.min(1, message) as never
  }
}

const lengthOf = (value: readonly unknown[]): number => value.length

const size = (kind: 'min' | 'max', limit: number, side: string, message?: Message): Check =>
  sizeCheck(kind, 'array', limit, lengthOf, arrayText(side, limit), message, side === 'exactly')

const makeArray = ({ inner, checks, params }: ArrayDefinition, use: RunOf): Run => {
  const run: Run = use(inner)
  const plain = plainOf(inner)
  return (input, issues) => {
    if (!Array.isArray(input)) return wrongType(issues, input, 'array', params)
    if (checks.length) runChecks(checks, input, issues, params)
    const output: unknown[] = [...input]
    let valid = true
    let issueCount = issues.length
    for (let index = 0; index < output.length; index++) {
      const item = output[index]
      if (isPlain(plain, item)) continue
      const out = run(item, issues)
      if (issues.length > issueCount) {
        under(issues, issueCount, index)
        issueCount = issues.length
        if (issueCount >= MAX_ISSUES) return INVALID
      }
      if (out === INVALID) valid = false
      else output[index] = out
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept arrays whose items `item` accepts. Reports `invalid_type`; its checks `too_small` and `too_big`.
 *
 * @example
 * array(number()).nonempty().parse([1, 2]) // [1, 2]
 */
export const array = <Item extends AnyCore>(item: Item, params?: Params): ArraySchema<Item> =>
  new ArraySchema({ type: 'array', inner: item, checks: [], params } as ArrayDefinition, makeArray)
