import { makeUnion } from '../internal/z/combined-runs.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { Schema } from '../internal/z/schema.ts'

/** The schema that `union()` returns. */
export class UnionSchema<out Options extends readonly AnyCore[]> extends Schema<
  Options[number]['_output'],
  Options[number]['_input']
> {
  declare readonly def: Definition & { readonly options: Options }

  /** The alternatives, in the order in which they are tried. */
  get options(): Options {
    return this.def.options
  }
}

/**
 * Accept values of one of the schemas; the first that fits makes the output. Reports `invalid_union`, with the issues
 * of every alternative.
 *
 * @example
 * union([string(), number()]).parse(5) // 5
 */
export const union = <Options extends readonly [AnyCore, AnyCore, ...AnyCore[]]>(
  options: Options,
  params?: Params,
): UnionSchema<Options> => new UnionSchema<Options>({ type: 'union', options, params } as Definition, makeUnion)
