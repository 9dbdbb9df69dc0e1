import type { AnyCore } from '../../internal/z/definition.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import { codec as smallCodec, type Ways } from '../codec.ts'
import { FileSchema, file as smallFile } from '../file.ts'
import { type Json, json as smallJson } from '../json.ts'
import { type RecordSchema, partialRecord as smallPartialRecord } from '../record.ts'
import { templateLiteral as smallTemplateLiteral, type Template, type TemplatePart } from '../template-literal.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** A schema with two ways: `parse` goes from `input` to `output`, `encode` goes back. */
export const codec = <In extends AnyCore, Out extends AnyCore>(
  input: In,
  output: Out,
  ways: Ways<In, Out>,
): Zod3Schema<Schema<Out['_output'], In['_input']>> => toZod3(smallCodec(input, output, ways))

/** The schema that `file()` of `sluice/zod3` returns. */
export class Zod3File extends FileSchema {
  /** Change the file, for the checks that follow and for the output. */
  declare readonly overwrite: (change: (value: File) => File) => this
}

/** Accept `File` objects, as forms have them. */
export const file = (params?: ErrorParams): Zod3Schema<Zod3File> => toZod3(smallFile(params), Zod3File)

/** Accept values of JSON, to a depth of 500 levels. */
export const json = (params?: ErrorParams): Zod3Schema<Schema<Json>> => toZod3(smallJson(params))

/** Accept objects whose keys and values fit; known keys may be missing. */
export const partialRecord = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Key, Value>> => toZod3(smallPartialRecord(key, value, params))

/** Accept strings that consist of these parts, one behind the other: `${number}px`. */
export const templateLiteral = <const Parts extends readonly TemplatePart[]>(
  parts: Parts,
  params?: ErrorParams,
): Zod3Schema<Schema<Template<Parts>>> => toZod3(smallTemplateLiteral(parts, params))
