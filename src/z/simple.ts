import type { Definition, Make } from './definition.ts'
import type { Params } from './issue.ts'
import { wrongType } from './run.ts'
import { Schema } from './schema.ts'

/** A schema that only looks at the value; `expected` is what its issue says. */
export const simple = <Out>(
  expected: string,
  guard: (value: unknown) => boolean,
  params?: Params,
  coerce?: (value: unknown) => unknown,
): Schema<Out> => new Schema<Out>({ type: expected, guard, coerce, params } as Definition, makeSimple)

const makeSimple: Make =
  ({ type, guard, coerce, params }) =>
  (input, issues) => {
    const value = coerce ? coerce(input) : input
    return guard(value) ? value : wrongType(issues, value, type, params)
  }
