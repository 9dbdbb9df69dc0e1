import type { Issue } from '../errors/validation-error.ts'
import { derive } from '../internal/z/core.ts'
import { type AnyCore, type Definition, isSchema, type Run, type RunOf } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import type { JsonSchema, JsonSchemaWriter } from '../internal/z/json-schema-types.ts'
import { isObject } from '../internal/z/object-run.ts'
import { INVALID, MAX_ISSUES, under, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'
import type { RecordOf } from '../internal/z/types.ts'
import { string } from './string.ts'

interface RecordDefinition extends Definition {
  readonly key: AnyCore
  readonly inner: AnyCore
  /** Changes the run of the keys. */
  readonly withKeys?: (run: Run) => Run
}

/** The schema that `record()` returns. */
export class RecordSchema<Key extends AnyCore, Value extends AnyCore> extends Schema<
  RecordOf<Key['_output'], Value['_output']>,
  RecordOf<Key['_input'], Value['_input']>
> {
  declare readonly def: RecordDefinition

  /** The schema of the keys. */
  get keySchema(): Key {
    return this.def.key as Key
  }

  /** The schema of the values. */
  get element(): Value {
    return this.def.inner as Value
  }

  /** The schema of the values. */
  get valueSchema(): Value {
    return this.def.inner as Value
  }
}

const makeRecord = ({ key: keys, inner, params, withKeys }: RecordDefinition, use: RunOf): Run => {
  const runKey: Run<unknown> = withKeys ? withKeys(use(keys)) : use(keys)
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
      // A transform can make an array of the key, and `['__proto__']` names the same property
      else if (String(name) !== '__proto__') output[name as string] = out
      if (issues.length >= MAX_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/**
 * Accept objects with any number of keys, whose values one schema accepts: `record(value)`, or `record(key, value)`.
 * Reports `invalid_type`.
 *
 * @example
 * record(number()).parse({ a: 1, b: 2 }) // { a: 1, b: 2 }
 */
export function record<Value extends AnyCore>(value: Value, params?: Params): RecordSchema<Schema<string>, Value>
export function record<Key extends Schema<string | number | symbol, never> | AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: Params,
): RecordSchema<Key, Value>
export function record(first: AnyCore, second?: AnyCore | Params, third?: Params): unknown {
  const [key, inner, params] = isSchema(second) ? [first, second, third] : [string(), first, second]
  return new RecordSchema({ type: 'record', key, inner, params } as Definition, makeRecord)
}

/**
 * Accept objects whose keys and values fit; known keys may be missing: `record(key, value)` of zod 3,
 * with numbers among the keys, as in zod 4.
 *
 * @example
 * partialRecord(literal(['a', 1]), number()).parse({ a: 1, 1: 2 }) // { a: 1, 1: 2 }
 */
export const partialRecord = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: Params,
): RecordSchema<Key, Value> => {
  const schema = record(key, value, params)
  const says: JsonSchemaWriter = (describe, target) =>
    target === 'openapi-3.0' ? {} : { propertyNames: asTexts(describe(key)) }
  return derive(schema, { ...schema.def, says, withKeys: orNumber })
}

/** A key as JavaScript writes a number. */
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A key is a string, and may be meant as a number if it looks like one. Both are parsed, always in the same order. */
const orNumber =
  (run: Run): Run =>
  (key, issues) => {
    const issueCount = issues.length
    const name = run(key, issues)
    if (!NUMBER.test(key as string)) return name
    const numberIssues: Issue[] = []
    const number = run(Number(key), numberIssues)
    if (issues.length === issueCount || numberIssues.length || number === INVALID) return name
    issues.length = issueCount
    return number
  }

/** In JSON Schema, names are always strings, so bounds of numbers are left out. */
const asTexts = (schema: JsonSchema): JsonSchema => {
  const { type, ...texts } = schema
  if ('const' in texts) texts.const = String(texts.const)
  if (Array.isArray(texts.enum)) texts.enum = texts.enum.map(String)
  if (Array.isArray(texts.anyOf)) texts.anyOf = texts.anyOf.map(asTexts)
  return /^(number|integer)$/.test(`${type}`) && !('const' in texts || texts.enum) ? { pattern: NUMBER.source } : texts
}
