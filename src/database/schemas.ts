import type { ColumnSpec, Field, Rule } from '../internal/database/define/field.ts'
import type { Simplify } from '../internal/types/simplify.ts'
import { named } from '../openapi/named.ts'
import * as z from '../z.ts'
import type { BelongsTo, Column, InputRule, OutputRule } from './fields.ts'
import type { AnyBelongsTo, AnyModel, Anything } from './model-types.ts'

type InputSchema<C> =
  C extends Column<infer T, infer N, Anything, infer R>
    ? null extends T
      ? z.Optional<z.Nullable<InputRule<R>>>
      : N extends 'optional'
        ? z.Optional<InputRule<R>>
        : InputRule<R>
    : never
type OutputSchema<C> =
  C extends Column<infer T, Anything, Anything, infer R>
    ? null extends T
      ? z.Nullable<OutputRule<R>>
      : OutputRule<R>
    : never

/** The shape of {@link inputOf}. */
export type InputShape<F> = Simplify<
  { [K in keyof F as F[K] extends Column<Anything, Anything, 'open', Anything> ? K : never]: InputSchema<F[K]> } & {
    [K in keyof F as F[K] extends BelongsTo<Anything, Anything, 'open'>
      ? `${K & string}Id`
      : never]: F[K] extends BelongsTo<Anything, 'optional', Anything>
      ? z.Optional<z.Nullable<z.NumberSchema>>
      : z.NumberSchema
  }
>

/** The shape of {@link outputOf}. */
export type OutputShape<M extends AnyModel> = Simplify<
  { id: z.NumberSchema } & {
    [K in keyof M['fields'] as M['fields'][K] extends Column<Anything, Anything, 'open' | 'readonly', Anything>
      ? K
      : never]: OutputSchema<M['fields'][K]>
  } & {
    [K in keyof M['fields'] as M['fields'][K] extends AnyBelongsTo
      ? `${K & string}Id`
      : never]: M['fields'][K] extends BelongsTo<Anything, 'optional', Anything>
      ? z.Nullable<z.NumberSchema>
      : z.NumberSchema
  } & (InstanceType<M> extends { version: number } ? { version: z.NumberSchema } : unknown) &
    (InstanceType<M> extends { createdAt: Date } ? { createdAt: z.StringSchema; updatedAt: z.StringSchema } : unknown)
>

/** The shape of {@link changesOf}. */
export type ChangesShape<M extends AnyModel> = Simplify<
  { [K in keyof InputShape<M['fields']>]: z.Optional<InputShape<M['fields']>[K]> } & (InstanceType<M> extends {
    version: number
  }
    ? { version: z.Optional<z.NumberSchema> }
    : unknown)
>

/**
 * The schema of what a client may send to create a record of a defined model. `pick`, `omit` and `extend` change it.
 *
 * @example
 * app.post('/articles', validateBody(inputOf(Article)), async (ctx) => …)
 */
export const inputOf = <M extends AnyModel>(model: M): z.ObjectSchema<InputShape<M['fields']>> =>
  z.object(
    shapeOf(model, ['open'], ({ rule, args, refine, nullable, fallback }) => {
      const plain = INPUTS[rule](...args)
      const input = refine ? (refine(plain as never) as z.AnySchema) : plain
      if (nullable) return input.nullable().optional()
      return fallback === undefined ? input : input.optional()
    }),
  ) as never

/**
 * The schema of what a client may send to change a record: the same, and everything is optional. With `version: true` a
 * client may send the version that it has read, so that it does not overwrite the changes of others.
 */
export const changesOf = <M extends AnyModel>(model: M): z.ObjectSchema<ChangesShape<M>> => {
  const changes = inputOf(model).partial()
  const { version }: AnyModel & Switches = model
  return (version ? changes.extend({ version: INPUTS.key().optional() }) : changes) as never
}

/**
 * The schema of a record as a client gets it. In an OpenAPI document it has the name of its model.
 *
 * @param name Another name for documents, if two models have the same one.
 */
export const outputOf = <M extends AnyModel>(model: M, name: string = model.name): z.ObjectSchema<OutputShape<M>> => {
  const schemas = outputs.get(model)
  const schema = schemas?.[name] ?? named(name, z.object(outputShape(model)))
  outputs.set(model, { ...schemas, [name]: schema })
  return schema as never
}

/** A model has one schema for each name, because a name in a document belongs to one schema. */
const outputs: WeakMap<object, Readonly<Record<string, z.AnySchema>>> = /* @__PURE__ */ new WeakMap()

type Switches = { readonly [K in 'timestamps' | 'softDelete' | 'version']?: boolean }

const outputShape = (model: AnyModel & Switches) => {
  const { timestamps, softDelete, version } = model
  const time = z.string().check(z.formats.datetime())
  const columns = shapeOf(model, ['open', 'readonly'], ({ rule, args, nullable }) => {
    const schema = OUTPUTS[rule](...args)
    return nullable ? schema.nullable() : schema
  })
  return {
    id: z.number().int(),
    ...columns,
    ...(version && { version: z.number().int() }),
    ...(softDelete && { deletedAt: time.nullish() }),
    ...(timestamps && { createdAt: time, updatedAt: time }),
  }
}

// any: the rule sets take what their column was made with
type RuleSet = Readonly<Record<Rule, (...args: any[]) => z.AnySchema>>

const INPUTS: RuleSet = {
  string: (length: number) => z.string().trim().min(1).max(length),
  text: () => z.string().max(10_000),
  email: () => z.string().trim().toLowerCase().email().max(255),
  url: () => z.string().trim().url(LINKABLE).max(1000),
  uuid: () => z.string().uuid(),
  integer: () => z.number().int().min(-2_147_483_648).max(2_147_483_647),
  number: () => z.number().finite(),
  decimal: (digits: number, places: number) => {
    const max = Number(`${'9'.repeat(digits - places) || 0}.${'9'.repeat(places) || 0}`)
    const step = 10 ** -places
    return z.number().min(-max).max(max).multipleOf(step)
  },
  boolean: () => z.boolean(),
  date: () => {
    const time = z.string().check(z.formats.datetime({ offset: true }))
    return time.or(z.iso.date()).pipe(z.coerce.date())
  },
  enum: (values: [string, ...string[]]) => z.enum(values),
  json: (schema: z.AnySchema) => schema,
  key: () => z.number().int().positive().max(2_147_483_647),
}

/** URLs that a page may link to: `javascript:` is a URL too. */
const LINKABLE = { protocol: /^https?$/ }

const OUTPUTS: RuleSet = {
  ...INPUTS,
  string: () => z.string(),
  text: () => z.string(),
  email: () => z.string(),
  url: () => z.string(),
  integer: () => z.number().int(),
  number: () => z.number(),
  decimal: () => z.number(),
  date: () => z.string().check(z.formats.datetime()),
  key: () => z.number().int(),
}

/** The schemas of the columns that have one of these visibilities, and of the keys of `belongsTo`. */
const shapeOf = (
  { fields }: AnyModel,
  visibilities: readonly string[],
  toSchema: (spec: ColumnSpec) => z.AnySchema,
): Record<string, z.AnySchema> => {
  const all: Readonly<Record<string, Field>> = fields
  const shape: Record<string, z.AnySchema> = {}
  for (const [name, { is, spec }] of Object.entries(all)) {
    if (!visibilities.includes(spec.visibility ?? 'open')) continue
    if (is === 'column') shape[name] = toSchema(spec)
    if (is === 'belongsTo') shape[`${name}Id`] = toSchema({ ...spec, type: 'integer', rule: 'key', args: [] })
  }
  return shape
}
