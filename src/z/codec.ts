import { Core, construct, type Result } from '../internal/z/core.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import { inverse } from '../internal/z/inverse.ts'
import type { RefinementContext } from '../internal/z/issue.ts'
import { Schema } from '../internal/z/schema.ts'
import { makePipe, makeTransform } from '../internal/z/wrap-runs.ts'
import { parseAsync, safeParseAsync } from './parse-async.ts'

/** Both functions of a {@link codec}. */
interface CodecFunctions<In extends AnyCore, Out extends AnyCore> {
  /** Converts the output of the first schema to the input of the second. */
  readonly decode: (value: In['_output'], context: RefinementContext) => Out['_input'] | Promise<Out['_input']>
  /** Converts the input of the second schema to the output of the first. */
  readonly encode: (value: Out['_input'], context: RefinementContext) => In['_output'] | Promise<In['_output']>
}

/**
 * A schema with two ways: `parse` and {@link decode} go from `input` to `output`, {@link encode} goes back.
 *
 * @example
 * const Day = codec(string(), date(), { decode: (text) => new Date(text), encode: (day) => day.toISOString() })
 * encode(Day, Day.parse('2026-01-01T00:00:00.000Z')) // '2026-01-01T00:00:00.000Z'
 */
export const codec = <In extends AnyCore, Out extends AnyCore>(
  input: In,
  output: Out,
  { decode, encode }: CodecFunctions<In, Out>,
): Schema<Out['_output'], In['_input']> => {
  const inner = new Core({ type: 'transform', inner: input, change: decode } as Definition, makeTransform)
  return construct(Schema, { type: 'pipe', inner, target: output, source: input, encode }, makePipe)
}

/**
 * `schema.parse`, for a value whose type is known.
 *
 * @throws {ValidationError} for a value that does not fit.
 * @example
 * decode(codec(string(), number(), { decode: Number, encode: String }), '5') // 5
 */
export const decode = <T extends AnyCore>(schema: T, value: T['_input']): T['_output'] => toCore(schema).parse(value)

/** `schema.safeParse`, for a value whose type is known. */
export const safeDecode = <T extends AnyCore>(schema: T, value: T['_input']): Result<T['_output'], T['_input']> =>
  toCore(schema).safeParse(value)

/**
 * Like {@link decode}, and waits for promises of user code.
 *
 * @throws {ValidationError} for a value that does not fit.
 */
export const decodeAsync = <T extends AnyCore>(schema: T, value: T['_input']): Promise<T['_output']> =>
  parseAsync(schema, value)

/** Like {@link safeDecode}, and waits for promises of user code. */
export const safeDecodeAsync = <T extends AnyCore>(
  schema: T,
  value: T['_input'],
): Promise<Result<T['_output'], T['_input']>> => safeParseAsync(schema, value)

/**
 * The input from which the schema makes this output. Every check on the way runs; defaults are not filled in.
 *
 * @throws {ValidationError} for a value that does not fit.
 * @throws {TypeError} if the schema holds a `transform` or `preprocess`, which have no way back.
 * @example
 * encode(codec(string(), number(), { decode: Number, encode: String }), 5) // '5'
 */
export const encode = <T extends AnyCore>(schema: T, value: T['_output']): T['_input'] =>
  toCore(inverse(schema)).parse(value)

/** Like {@link encode}, without throwing for a value that does not fit. */
export const safeEncode = <T extends AnyCore>(schema: T, value: T['_output']): Result<T['_input'], T['_output']> =>
  toCore(inverse(schema)).safeParse(value)

/** Like {@link encode}, and waits for promises of user code. */
export const encodeAsync = <T extends AnyCore>(schema: T, value: T['_output']): Promise<T['_input']> =>
  parseAsync(inverse(schema), value)

/** Like {@link safeEncode}, and waits for promises of user code. */
export const safeEncodeAsync = <T extends AnyCore>(
  schema: T,
  value: T['_output'],
): Promise<Result<T['_input'], T['_output']>> => safeParseAsync(inverse(schema), value)

/** Every schema can parse, but `AnyCore` does not declare it. */
const toCore = (schema: AnyCore): Core => schema as Core
