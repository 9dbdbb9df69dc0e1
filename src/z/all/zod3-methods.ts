import type { CheckedSchema } from '../../internal/z/checked-schema.ts'
import type { AnyCore, CheckedDefinition, Meta } from '../../internal/z/definition.ts'
import type { ParseOptions, RefinementContext } from '../../internal/z/issue.ts'
import type { Payload } from '../../internal/z/payload-check.ts'
import { type AnySchema, type Effect, Schema as SmallSchema } from '../../internal/z/schema.ts'
import type { ZodError } from '../../internal/z/zod-error.ts'
import type { ArraySchema } from '../array.ts'
import type { PromiseSchema } from '../promise.ts'

/** A schema of `sluice/zod3`: the members of its own module, and the methods of every schema of zod 3. */
export type Zod3Schema<T> = SafeParse & T & Zod3Methods

/** The schema that has these methods. */
type Self<T> = T extends AnyCore ? T : AnyCore

type Overwritten<T> = T extends CheckedSchema<unknown> ? T : Effect<Self<T>>

type InnerOf<T> = T extends { unwrap(): infer Inner } ? Inner : unknown

/** The result of `safeParse`: as in zod 3, the error is a {@link ZodError}. It has the keys of the input. */
export type Zod3Result<Out, In = Out> =
  | { success: true; data: Out; error?: never }
  | { success: false; error: ZodError<In>; data?: never }

/** A function for `check`. */
type PayloadCheck<T> = (payload: Payload<T>) => void | Promise<void>

/** First in {@link Zod3Schema}: of two declarations of a method, the compiler takes the first one. */
interface SafeParse {
  readonly _output: unknown
  readonly _input: unknown
  /** The output, or the error, without throwing; the error has no stack. */
  safeParse(value: unknown, options?: ParseOptions): Zod3Result<this['_output'], this['_input']>
}

/** The methods of every schema of `sluice/zod3`, in addition to those of `sluice/z`. All of them work unbound. */
export interface Zod3Methods extends SafeParse {
  readonly '~more': Zod3Methods

  /** The output for a value that fits. @throws {ValidationError} for a value that does not fit. */
  parse(value: unknown, options?: ParseOptions): this['_output']
  /** Like `parse`, and waits for promises of user code. */
  parseAsync(value: unknown, options?: ParseOptions): Promise<this['_output']>
  /** Like `safeParse`, and waits for promises of user code. */
  safeParseAsync(value: unknown, options?: ParseOptions): Promise<Zod3Result<this['_output'], this['_input']>>
  /** The short name of `safeParseAsync`. */
  spa(value: unknown, options?: ParseOptions): Promise<Zod3Result<this['_output'], this['_input']>>

  /** An array of such values. */
  array(): Zod3Schema<ArraySchema<Self<this>>>
  /** A promise of such a value. */
  promise(): Zod3Schema<PromiseSchema<Self<this>>>
  /** Like `refine`; `issue` is the issue itself, or a function that makes it from the value. */
  refinement<Refined extends this['_output']>(
    check: (value: this['_output']) => value is Refined,
    issue: object | ((value: this['_output'], context: RefinementContext) => object),
  ): Effect<Self<this>, Refined>
  refinement(
    check: (value: this['_output']) => unknown,
    issue: object | ((value: this['_output'], context: RefinementContext) => object),
  ): Effect<Self<this>>
  /** Let functions read the value and push issues, as in zod 4. Runs after failed checks, not after a wrong type. */
  check(...checks: readonly [PayloadCheck<this['_output']>, ...PayloadCheck<this['_output']>[]]): Effect<Self<this>>
  /** Add the checks of another schema of the same type: `z.string().check(z.iso.date())`. */
  check(...schemas: readonly [{ readonly def: CheckedDefinition }, ...{ readonly def: CheckedDefinition }[]]): this
  /** Change the output and keep its type; strings, numbers, bigints, dates and files keep their class as well. */
  overwrite(change: (value: this['_output']) => this['_output']): Overwritten<this>
  /** Add this schema to a registry, with facts about it. */
  register<Known>(registry: { add(schema: AnyCore, known?: Known): unknown }, known: Known): this
  /** The same schema with titles, examples or other facts for its readers; JSON Schema repeats them. */
  meta(meta: Meta): this
  /** The argument of `meta`. */
  meta(): Meta | undefined
  /** Whether the schema accepts `undefined`. */
  isOptional(): boolean
  /** Whether the schema accepts `null`. */
  isNullable(): boolean
  /** The schema inside of a `default`. */
  removeDefault(): InnerOf<this>
  /** The schema inside of a `catch`. */
  removeCatch(): InnerOf<this>
  /** The schema inside of a `refine`, `transform` or `preprocess`. */
  innerType(): InnerOf<this>
  /** The schema inside of all of them. */
  sourceType(): AnyCore
}

/** Any schema of `sluice/zod3`. */
// any: schemas of every type must be assignable
export type AnyZod3Schema = Zod3Schema<AnySchema>

/** Any schema of `sluice/zod3` with this output and input. Zod 3 has the input third: `<Out, ZodTypeDef, In>`. */
// any: the type of zod 3 if none is given
export type Schema<Out = any, In = Out, Last = In> = Zod3Schema<SmallSchema<Out, Last>>

/** The class for `schema instanceof Schema`: every schema with a chain is an instance. */
export const Schema: abstract new (...args: never[]) => Schema = SmallSchema as never
