import type { ValidationError } from '../internal/validation-error.ts'
import { Core, derive } from './core.ts'
import type { Definition, Make } from './definition.ts'
import { makeEffect, makePreprocess, makeTransform } from './effect.ts'
import type { RefinementContext } from './issue.ts'
import { makeIntersection } from './merge.ts'
import type { Brand, Default, Effect, MessageFor, NoUndefined, Nullable, Optional, Readonly, Wrapped } from './types.ts'
import { makeUnion } from './union-run.ts'
import { makeCatch, makeDefault, makeNullable, makeOptional, makePipe, makeReadonly, makeSame } from './wrap.ts'

/** Any schema, whatever it takes and gives. */
// any: a schema of every type has to fit.
export type AnySchema = Schema<any, any>

/**
 * A value that says what another value must be. Never changes: each method returns a new schema.
 *
 * @example
 * string().min(1).optional().parse(undefined) // undefined
 */
export class Schema<Out = unknown, In = Out> extends Core<Out, In> {
  /** Accept `undefined` too. */
  optional(): Optional<this> {
    return wrap(this, 'optional', makeOptional)
  }

  /** Accept `null` too. */
  nullable(): Nullable<this> {
    return wrap(this, 'nullable', makeNullable)
  }

  /** Accept `null` and `undefined` too. */
  nullish(): Optional<Nullable<this>> {
    return this.nullable().optional()
  }

  /** Parse `value`, or what the function returns, in the place of `undefined`. */
  default(value: NoUndefined<In> | (() => NoUndefined<In>)): Default<this> {
    return wrap(this, 'default', makeDefault, { value })
  }

  /** Return `value`, or what the function returns, in the place of anything that does not fit. */
  catch(
    value: Out | ((context: { error: ValidationError; input: unknown }) => Out),
  ): Wrapped<this, 'catch', Out, unknown> {
    return wrap(this, 'catch', makeCatch, { value })
  }

  /** Ask a function whether a value that has the right type is acceptable. Runs after failed checks, not after a wrong type. */
  refine<Refined extends Out>(check: (value: Out) => value is Refined, message?: MessageFor<Out>): Effect<this, Refined>
  refine(check: (value: Out) => unknown | Promise<unknown>, message?: MessageFor<Out>): Effect<this>
  refine(check: (value: Out) => unknown, message?: MessageFor<Out>): Effect<this> {
    const words = typeof message === 'function' ? message : () => (typeof message === 'object' ? message : { message })
    return wrap(this, 'refine', makeEffect, { check, words, ...BARE })
  }

  /** Let a function report any number of issues, each with its code and path. */
  superRefine<Refined extends Out>(
    check: (value: Out, context: RefinementContext) => value is Refined,
  ): Effect<this, Refined>
  superRefine(check: (value: Out, context: RefinementContext) => void | Promise<void>): Effect<this>
  superRefine(check: (value: Out, context: RefinementContext) => unknown): Effect<this> {
    return wrap(this, 'refine', makeEffect, { check, ...BARE })
  }

  /** Return what the function makes of the output. Runs only when nothing was reported. */
  transform<New>(change: (value: Out, context: RefinementContext) => New | Promise<New>): Effect<this, New> {
    return wrap(this, 'transform', makeTransform, { change })
  }

  /** Give the output to another schema, when nothing was reported. */
  pipe<Target extends AnySchema>(target: Target): Schema<Target['_output'], In> {
    return wrap(this, 'pipe', makePipe, { target, ...BARE })
  }

  /** Tell the type apart from others of the same form; nothing happens when it runs. */
  brand<Name extends string | number | symbol>(
    _name?: Name,
  ): Wrapped<this, 'brand', Out & Brand<Name>, In & Brand<Name>> {
    return wrap(this, 'brand', makeSame)
  }

  /** Freeze the output. */
  readonly(): Wrapped<this, 'readonly', Readonly<Out>, Readonly<In>> {
    return wrap(this, 'readonly', makeReadonly, BARE)
  }

  /** Say what the schema is for. */
  describe(description: string): this {
    return derive(this, { description })
  }

  /** Accept what either schema accepts; the first that fits gives the output. */
  or<Other extends AnySchema>(other: Other): Schema<Out | Other['_output'], In | Other['_input']> {
    return new Schema({ type: 'union', options: [this, other], params: this.def.params } as Definition, makeUnion)
  }

  /** Accept what both schemas accept; their outputs are merged, deeply. */
  and<Other extends AnySchema>(other: Other): Schema<Out & Other['_output'], In & Other['_input']> {
    return new Schema(
      { type: 'intersection', left: this, right: other, params: this.def.params } as Definition,
      makeIntersection,
    )
  }
}

/** A schema around another one. */
export class Wrapper<Inner extends AnySchema, Kind extends string, Out, In> extends Schema<Out, In> {
  declare readonly def: Definition & { readonly type: Kind; readonly inner: Inner }

  /** The schema inside. */
  unwrap(): Inner {
    return this.def.inner
  }
}

/** For wrappers that do not speak with the words of what they hold. */
const BARE = { params: undefined, description: undefined }

/** A schema around `inner`, with its messages. */
const wrap = (inner: AnySchema, type: string, make: Make, more?: object): never => {
  const { params, description } = inner.def
  return new Wrapper({ type, inner, params, description, ...more } as never, make) as never
}

/**
 * Change a value before a schema sees it.
 *
 * @example
 * preprocess((value) => String(value), string()).parse(5) // '5'
 */
export const preprocess = <Inner extends AnySchema>(
  change: (value: unknown, context: RefinementContext) => unknown,
  schema: Inner,
): Effect<Inner, Inner['_output'], unknown> => wrap(schema, 'preprocess', makePreprocess, { change, ...BARE })
