import { makeIntersection, makeUnion } from './combined-runs.ts'
import { Core, construct, derive } from './core.ts'
import type { AnyCore, Definition, Make } from './definition.ts'
import type { RefinementContext } from './issue.ts'
import type { Brand, CatchContext, MessageFor, NoUndefined, Readonly } from './types.ts'
import {
  makeCatch,
  makeDefault,
  makeEffect,
  makeNullable,
  makeOptional,
  makePipe,
  makePreprocess,
  makeReadonly,
  makeSame,
  makeTransform,
} from './wrap-runs.ts'

/** Any schema with a chain. */
// any: schemas of every type must be assignable
export type AnySchema = Schema<any, any>

/**
 * A schema describes valid values. It never changes: each method returns a new schema.
 *
 * @example
 * string().min(1).optional().parse(undefined) // undefined
 */
export class Schema<out Out = unknown, out In = Out> extends Core<Out, In> {
  /** The text of `describe`, or of the parameters. */
  get description(): string | undefined {
    return this.def.description ?? this.def.params?.description
  }

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

  /** Parse `value`, or the function's result, in place of `undefined`. */
  default(value: NoUndefined<In> | (() => NoUndefined<In>)): Default<this> {
    return wrap(this, 'default', makeDefault, { value })
  }

  /** Return `value`, or the function's result, in place of a value that does not fit. */
  catch(value: Out | ((context: CatchContext) => Out)): WrapperSchema<this, 'catch', this['_output'], unknown> {
    return wrap(this, 'catch', makeCatch, { value })
  }

  /** Tell the type apart from others of the same form. Does nothing at run time. */
  brand<Name extends string | number | symbol>(
    _name?: Name,
  ): WrapperSchema<this, 'brand', this['_output'] & Brand<Name>, this['_input'] & Brand<Name>> {
    return wrap(this, 'brand', makeSame)
  }

  /** Freeze the output. */
  readonly(): WrapperSchema<this, 'readonly', Readonly<this['_output']>, Readonly<this['_input']>> {
    return wrap(this, 'readonly', makeReadonly, BARE)
  }

  /** Refuse a value if a function returns false. Runs after failed checks, but not after a wrong type. */
  refine<Refined extends Out>(check: (value: Out) => value is Refined, message?: MessageFor<Out>): Effect<this, Refined>
  refine(check: (value: Out) => unknown | Promise<unknown>, message?: MessageFor<Out>): Effect<this>
  refine(check: (value: Out) => unknown, message?: MessageFor<Out>): Effect<this> {
    const words = typeof message === 'function' ? message : () => (typeof message === 'object' ? message : { message })
    return wrap(this, 'refine', makeEffect, { check, words, ...BARE })
  }

  /** Let a function report issues, each with its code and path. */
  superRefine<Refined extends Out>(
    check: (value: Out, context: RefinementContext) => value is Refined,
  ): Effect<this, Refined>
  superRefine(check: (value: Out, context: RefinementContext) => void | Promise<void>): Effect<this>
  superRefine(check: (value: Out, context: RefinementContext) => unknown): Effect<this> {
    return wrap(this, 'refine', makeEffect, { check, ...BARE })
  }

  /** Convert the output by a function. Runs only if there are no issues. */
  transform<New>(change: (value: Out, context: RefinementContext) => New | Promise<New>): Effect<this, New> {
    return wrap(this, 'transform', makeTransform, { change })
  }

  /** Parse the output by another schema, if there are no issues. */
  pipe<Target extends AnyCore>(target: Target): this['~more'] & Schema<Target['_output'], In> {
    return wrap(this, 'pipe', makePipe, { target, ...BARE })
  }

  /** Add a description. */
  describe(description: string): this {
    return derive(this, { ...this.def, description })
  }

  /** Accept values of either schema; the first that fits makes the output. */
  or<Other extends AnyCore>(other: Other): this['~more'] & Schema<Out | Other['_output'], In | Other['_input']> {
    return create(this, Schema, { type: 'union', options: [this, other], params: this.def.params }, makeUnion)
  }

  /** Accept values of both schemas; their outputs are merged deeply. */
  and<Other extends AnyCore>(other: Other): this['~more'] & Schema<Out & Other['_output'], In & Other['_input']> {
    const { params } = this.def
    return create(this, Schema, { type: 'intersection', left: this, right: other, params }, makeIntersection)
  }
}

/** A schema around another. */
export class Wrapper<out Inner extends AnyCore, out Kind extends string, out Out, out In> extends Schema<Out, In> {
  declare readonly def: Definition & { readonly type: Kind; readonly inner: Inner }

  /** The schema inside. */
  unwrap(): Inner {
    return this.def.inner
  }
}

/** A schema around another, with the methods that the door of the inner one adds. */
export type WrapperSchema<Inner extends AnyCore, Kind extends string, Out, In> = Inner['~more'] &
  Wrapper<Inner, Kind, Out, In>

/** The schema that `optional()` returns. */
export type Optional<T extends AnyCore> = WrapperSchema<
  T,
  'optional',
  T['_output'] | undefined,
  T['_input'] | undefined
>

/** The schema that `nullable()` returns. */
export type Nullable<T extends AnyCore> = WrapperSchema<T, 'nullable', T['_output'] | null, T['_input'] | null>

/** The schema that `default()` returns. */
export type Default<T extends AnyCore> = WrapperSchema<T, 'default', NoUndefined<T['_output']>, T['_input'] | undefined>

/** The schema that `refine`, `superRefine`, `transform` and `preprocess` return. */
export type Effect<T extends AnyCore, Out = T['_output'], In = T['_input']> = WrapperSchema<T, 'effect', Out, In>

/** For schemas that do not inherit the messages of the schema that they are made from. */
export const BARE = { params: undefined, description: undefined }

/** A schema made from `from`, of the class that the door of `from` has for this type. */
export const create = (from: AnyCore, type: unknown, def: object, make: Make): never =>
  construct(from['~as']?.(type as never) ?? type, def, make)

/** A schema around `inner`, with its messages. */
export const wrap = (inner: AnyCore, type: string, make: Make, more?: object): never => {
  const { params, description } = inner.def
  return create(inner, Wrapper, { type, inner, params, description, ...more }, make)
}

/**
 * Change a value before a schema sees it.
 *
 * @example
 * preprocess((value) => String(value), string()).parse(5) // '5'
 */
export const preprocess = <Inner extends AnyCore>(
  change: (value: unknown, context: RefinementContext) => unknown,
  schema: Inner,
): Effect<Inner, Inner['_output'], unknown> => wrap(schema, 'preprocess', makePreprocess, { change, ...BARE })
