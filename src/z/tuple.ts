import { countText } from './checks.ts'
import { derive } from './core.ts'
import type { Definition, Use } from './definition.ts'
import type { Params, Text } from './issue.ts'
import { INVALID, MOST_ISSUES, type Run, report, under, wrongType } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'

/** The schemas of a tuple. */
export type TupleItems = readonly [AnySchema, ...AnySchema[]] | readonly []

export interface TupleDefinition extends Definition {
  readonly items: readonly AnySchema[]
  readonly rest?: AnySchema | undefined
}

type SideOf<Items extends TupleItems, Rest extends AnySchema | null, Side extends '_output' | '_input'> = {
  -readonly [Index in keyof Items]: Items[Index] extends AnySchema ? Items[Index][Side] : never
} extends infer Values extends unknown[]
  ? Rest extends AnySchema
    ? [...Values, ...Rest[Side][]]
    : Values
  : never

/** Of `tuple()`. */
export class TupleSchema<Items extends TupleItems, Rest extends AnySchema | null = null> extends Schema<
  SideOf<Items, Rest, '_output'>,
  SideOf<Items, Rest, '_input'>
> {
  declare readonly def: TupleDefinition

  /** The schemas of the items. */
  get items(): Items {
    return this.def.items as never
  }

  /** Accept more items, all of them of this schema. */
  rest<Next extends AnySchema>(schema: Next): TupleSchema<Items, Next> {
    return derive(this as never, { rest: schema })
  }
}

const text = /* @__PURE__ */ countText('Array', 'element') as Text

const makeTuple = ({ items, rest, params }: TupleDefinition, use: Use): Run => {
  const runs: readonly Run<unknown>[] = items.map(use)
  const restRun = rest && (use(rest) as Run<unknown>)
  const count = runs.length
  return (input, issues) => {
    if (!Array.isArray(input)) return wrongType(issues, input, 'array', params)
    const shared = { type: 'array', inclusive: true, exact: false } as const
    if (input.length < count)
      return report(issues, input, { code: 'too_small', minimum: count, ...shared }, text, params)
    if (!restRun && input.length > count)
      report(issues, input, { code: 'too_big', maximum: count, ...shared }, text, params)
    const output: unknown[] = []
    let valid = true
    for (let index = 0; index < (restRun ? input.length : count); index++) {
      const start = issues.length
      const out = (runs[index] ?? restRun!)(input[index], issues)
      under(issues, start, index)
      if (out === INVALID) valid = false
      else output.push(out)
      if (issues.length >= MOST_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept arrays of a fixed length, each place with its own schema.
 *
 * Reports `invalid_type`, `too_small` and `too_big`.
 *
 * @example
 * tuple([string(), number()]).parse(['x', 1]) // ['x', 1]
 */
export const tuple = <Items extends [AnySchema, ...AnySchema[]] | []>(
  items: Items,
  params?: Params,
): TupleSchema<Items> => new TupleSchema({ type: 'tuple', items, params } as Definition, makeTuple)
