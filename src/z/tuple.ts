import { arrayText } from '../internal/z/checks.ts'
import { derive } from '../internal/z/core.ts'
import type { AnyCore, Definition, Run, RunOf } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { INVALID, MAX_ISSUES, report, under, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

/** The schemas of a tuple. */
export type TupleItems = readonly [AnyCore, ...AnyCore[]] | readonly []

/** The definition of a tuple schema: a schema for each item, and one for those after them. */
export interface TupleDefinition extends Definition {
  readonly items: readonly AnyCore[]
  readonly rest?: AnyCore | undefined
}

type SideOf<Items extends TupleItems, Rest extends AnyCore | null, Side extends '_output' | '_input'> = {
  -readonly [Index in keyof Items]: Items[Index] extends AnyCore ? Items[Index][Side] : never
} extends infer Values extends unknown[]
  ? Rest extends AnyCore
    ? [...Values, ...Rest[Side][]]
    : Values
  : never

/** The schema that `tuple()` returns. */
export class TupleSchema<out Items extends TupleItems, out Rest extends AnyCore | null = null> extends Schema<
  SideOf<Items, Rest, '_output'>,
  SideOf<Items, Rest, '_input'>
> {
  declare readonly def: TupleDefinition

  /** The schemas of the items. */
  get items(): Items {
    return this.def.items as never
  }

  /** Accept more items, all of them of this schema. */
  rest<Next extends AnyCore>(schema: Next): this['~more'] & TupleSchema<Items, Next> {
    return derive(this, { ...this.def, rest: schema }) as never
  }
}

const ITEMS = { type: 'array', inclusive: true, exact: false } as const

const makeTuple = ({ items, rest, params }: TupleDefinition, use: RunOf): Run => {
  const runs: readonly Run<unknown>[] = items.map(use)
  const restRun = rest && (use(rest) as Run<unknown>)
  const count = runs.length
  return (input, issues) => {
    if (!Array.isArray(input)) return wrongType(issues, input, 'array', params)
    if (input.length < count) {
      const issue = { code: 'too_small', minimum: count, ...ITEMS } as const
      return report(issues, input, issue, arrayText('at least', count), params)
    }
    if (!restRun && input.length > count)
      report(issues, input, { code: 'too_big', maximum: count, ...ITEMS }, arrayText('at most', count), params)
    const output: unknown[] = []
    let valid = true
    for (let index = 0; index < (restRun ? input.length : count); index++) {
      const start = issues.length
      const out = (runs[index] ?? restRun!)(input[index], issues)
      under(issues, start, index)
      if (out === INVALID) valid = false
      else output.push(out)
      if (issues.length >= MAX_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept arrays of a fixed length, each place with its own schema. Reports `invalid_type`, `too_small` and `too_big`.
 *
 * @example
 * tuple([string(), number()]).parse(['x', 1]) // ['x', 1]
 */
export const tuple = <Items extends [AnyCore, ...AnyCore[]] | []>(items: Items, params?: Params): TupleSchema<Items> =>
  new TupleSchema({ type: 'tuple', items, params } as Definition, makeTuple)
