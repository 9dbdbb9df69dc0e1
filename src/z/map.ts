import type { AnyCore, Definition, Run, RunOf } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { INVALID, MAX_ISSUES, under, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

interface MapDefinition extends Definition {
  readonly key: AnyCore
  readonly inner: AnyCore
}

/** The schema that `map()` returns. */
export class MapSchema<out Key extends AnyCore, out Value extends AnyCore> extends Schema<
  Map<Key['_output'], Value['_output']>,
  Map<Key['_input'], Value['_input']>
> {
  declare readonly def: MapDefinition

  /** The schema of the keys. */
  get keySchema(): Key {
    return this.def.key as Key
  }

  /** The schema of the values. */
  get valueSchema(): Value {
    return this.def.inner as Value
  }
}

const makeMap = ({ key: keys, inner, params }: MapDefinition, use: RunOf): Run => {
  const runKey: Run<unknown> = use(keys)
  const run: Run<unknown> = use(inner)
  return (input, issues) => {
    if (!(input instanceof Map)) return wrongType(issues, input, 'map', params)
    const output = new Map()
    let valid = true
    let index = 0
    for (const [key, value] of input) {
      const start = issues.length
      const name = runKey(key, issues)
      under(issues, start, 'key')
      const between = issues.length
      const out = run(value, issues)
      under(issues, between, 'value')
      under(issues, start, index++)
      if (name === INVALID || out === INVALID) valid = false
      else output.set(name, out)
      if (issues.length >= MAX_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept a `Map` whose keys and values fit. Reports `invalid_type`; the paths of its issues are `[index, 'key']` and
 * `[index, 'value']`.
 *
 * @example
 * map(string(), number()).parse(new Map([['a', 1]])).get('a') // 1
 */
export const map = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: Params,
): MapSchema<Key, Value> => new MapSchema({ type: 'map', key, inner: value, params } as Definition, makeMap)
