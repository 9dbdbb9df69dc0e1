import type { Definition, Use } from './definition.ts'
import type { Params } from './issue.ts'
import { isObject } from './object-run.ts'
import { INVALID, MOST_ISSUES, type Run, under, wrongType } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'
import { string } from './string.ts'
import type { RecordOf } from './types.ts'

interface RecordDefinition extends Definition {
  readonly key: AnySchema
  readonly inner: AnySchema
}

/** Of `record()`. */
export class RecordSchema<Key extends AnySchema, Value extends AnySchema> extends Schema<
  RecordOf<Key['_output'], Value['_output']>,
  RecordOf<Key['_input'], Value['_input']>
> {
  declare readonly def: RecordDefinition

  /** The schema of the keys. */
  get keySchema(): Key {
    return this.def.key as Key
  }

  /** The schema of the values. */
  get valueSchema(): Value {
    return this.def.inner as Value
  }
}

const makeRecord = ({ key: keys, inner, params }: RecordDefinition, use: Use): Run => {
  const runKey: Run<unknown> = use(keys)
  const run: Run<unknown> = use(inner)
  return (input, issues) => {
    if (!isObject(input)) return wrongType(issues, input, 'object', params)
    const output: { [key: string]: unknown } = {}
    let valid = true
    for (const key in input) {
      const start = issues.length
      const name = runKey(key, issues)
      const out = run(input[key], issues)
      under(issues, start, key)
      if (name === INVALID || out === INVALID) valid = false
      else if (name !== '__proto__') output[name as string] = out
      if (issues.length >= MOST_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept objects with any number of keys, whose values one schema accepts: `record(value)`, or `record(key, value)`.
 *
 * Reports `invalid_type`.
 *
 * @example
 * record(number()).parse({ a: 1, b: 2 }) // { a: 1, b: 2 }
 */
export function record<Value extends AnySchema>(value: Value, params?: Params): RecordSchema<Schema<string>, Value>
export function record<Key extends Schema<string | number | symbol, never> | AnySchema, Value extends AnySchema>(
  key: Key,
  value: Value,
  params?: Params,
): RecordSchema<Key, Value>
export function record(
  first: AnySchema,
  second?: AnySchema | Params,
  third?: Params,
): RecordSchema<AnySchema, AnySchema> {
  const [key, inner, params] = second instanceof Schema ? [first, second, third] : [string(), first, second]
  return new RecordSchema({ type: 'record', key, inner, params } as Definition, makeRecord)
}
