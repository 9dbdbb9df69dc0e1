import type { Definition, Make, Run } from './definition.ts'
import type { Params } from './issue.ts'
import { wrongType } from './report.ts'
import { Schema } from './schema.ts'

/** A schema that only tests the value: by `guard`, else by `typeof`. */
export const simple = <Out>(
  expected: string,
  params?: Params,
  guard?: (value: unknown) => boolean,
  coerce?: (value: unknown) => unknown,
): Schema<Out> => new Schema<Out>({ type: expected, guard, coerce, params } as Definition, makeSimple)

const makeSimple: Make = ({ type, guard, coerce, params }) => {
  const run: Run = (value, issues) =>
    (guard ? guard(value) : typeof value === type) ? value : wrongType(issues, value, type, params)
  return coerce ? (value, issues) => run(coerce(value), issues) : run
}
