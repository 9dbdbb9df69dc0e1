import type { Issue } from '../internal/schema/validation-error.ts'
import type { AnyCore, Make, Run } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import type { JsonSchema, JsonSchemaWriter } from '../internal/z/json-schema-types.ts'
import { INVALID } from '../internal/z/report.ts'
import { RecordSchema, record } from './record.ts'

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
  const { def, make } = record(key, value, params)
  const says: JsonSchemaWriter = (describe, target) =>
    target === 'openapi-3.0' ? {} : { propertyNames: asTexts(describe(key)) }
  return new RecordSchema<Key, Value>({ ...def, says } as typeof def, withNumbers(make))
}

/** The rule of a record, which makes the run of its keys first. */
const withNumbers =
  (make: Make): Make =>
  (def, use, call) => {
    let runKey: Run | undefined
    const useFirst = (schema: AnyCore): Run<never> => {
      if (runKey) return use(schema)
      runKey = use(schema)
      return orNumber(runKey) as never
    }
    return make(def, useFirst, call)
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
