import type { AnyModel, Order, Page, WhereOf } from './database/model-types.ts'
import type { Field } from './internal/database/define/field.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import { named } from './openapi/named.ts'
import * as z from './z.ts'

export { changesOf, type InputShape, inputOf, type OutputShape, outputOf } from './database/schemas.ts'

/** The body of a refusal. */
export interface ErrorBody {
  error: string
  /** The issues of the input, if it does not match its schema. */
  issues?: { path: (string | number)[]; code: string; message: string }[] | undefined
}

/** The schema of the body of a refusal, named `Error` in an OpenAPI document. */
export const errorSchema: z.Schema<ErrorBody> = /* @__PURE__ */ (() =>
  named(
    'Error',
    z.object({
      error: z.string(),
      issues: z
        .array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string(), message: z.string() }))
        .optional(),
    }),
  ))()

/** The schema of the `meta` of a page, named `PageMeta` in an OpenAPI document. */
export const pageMetaSchema: z.Schema<Page<unknown>['meta']> = /* @__PURE__ */ (() => {
  const count = z.number().int()
  return named('PageMeta', z.object({ page: count, limit: count, total: count, totalPages: count }))
})()

/**
 * The schema of one record in a response: `{ data }`.
 *
 * @example
 * describe({ responses: { 200: dataOf(outputOf(Product)) } })
 */
export const dataOf = <S extends z.AnySchema>(schema: S): z.ObjectSchema<{ data: S }> => z.object({ data: schema })

/** The schema of a page of records, as `Product.page` returns it: `{ data: [], meta }`. */
export const pageOf = <S extends z.AnySchema>(
  schema: S,
): z.ObjectSchema<{ data: z.ArraySchema<S>; meta: typeof pageMetaSchema }> =>
  z.object({ data: z.array(schema), meta: pageMetaSchema })

/**
 * The refusals of a route for `describe`: each has the body `{ error }`.
 *
 * @example
 * describe({ responses: { 200: product, ...refusals(404, 422) } })
 */
export function refusals<const S extends number>(...statuses: readonly S[]): Record<S, typeof errorSchema>
export function refusals(...statuses: readonly number[]): Record<number, typeof errorSchema> {
  return Object.fromEntries(statuses.map((status) => [status, errorSchema]))
}

/** The columns of a record, with the keys of its `belongsTo`. */
export type ColumnOf<M extends AnyModel> = keyof Order<InstanceType<M>> & string

/** Options of {@link listOf}. */
export interface ListOptions<M extends AnyModel, F extends string = string> {
  /** Columns that filter a list: `?state=live`. Not `text`, `json`, `date` and fractions. @default none */
  readonly filter?: readonly (F & ColumnOf<M>)[]
  /** Columns that sort a list. @default all that clients see, except `text` and `json` */
  readonly sort?: readonly ColumnOf<M>[]
  /** Records on a page, if the client asks for no other number. @default 10, or `maxLimit` if that is less */
  readonly limit?: number
  /** Maximum number of records on a page, also if a client asks for more. @default 100 */
  readonly maxLimit?: number
}

/** The output of the schema of {@link listOf}: the argument of `Product.page`. */
export interface ListQuery<M extends AnyModel> {
  readonly page: number
  readonly limit: number
  readonly where: WhereOf<M>
  readonly orderBy: Order<InstanceType<M>>
}

/** The query of a client: `{ limit: 20, sort: '-price' }`. */
export type ListInput<F extends string> = { readonly [K in 'page' | 'limit' | 'sort' | F]?: string | number | boolean }

/** The schema that {@link listOf} returns. */
export type ListSchema<M extends AnyModel, F extends string> = z.Schema<ListQuery<M>, ListInput<F>>

/**
 * The schema of the query of a list: `?page=2&limit=20&sort=-price,name&state=live`.
 *
 * A `page` or `limit` that is not a whole number from 1 is ignored. Another column in `sort`, and a filter that does
 * not fit its column, are issues. Equal records are sorted by id, so pages neither repeat nor miss one. Of a repeated
 * parameter the first counts, but filters refuse it.
 *
 * @throws {TypeError} when made, for a column that the model does not have or that cannot be filtered by.
 * @example
 * app.get('/products', validateQuery(listOf(Product, { filter: ['state'] }), { status: 400 }), async (ctx) =>
 *   ctx.json(await Product.page(ctx.state.valid.query)),
 * )
 */
export function listOf<M extends AnyModel, const F extends string = never>(
  model: M,
  options?: ListOptions<M, F>,
): ListSchema<M, F>
export function listOf(model: AnyModel, options: ListOptions<AnyModel> = {}): z.AnySchema {
  checkNames('listOf', options, 'filter sort limit maxLimit')
  const columns = shownColumns(model)
  const sortable = Object.keys(columns).filter((name) => !/^(?:text|json)$/.test(columns[name]?.rule ?? ''))
  const { maxLimit = 100, limit = Math.min(10, maxLimit), filter = [], sort = sortable } = options
  checkWhole(maxLimit, 'listOf: maxLimit', 'records', 1)
  checkWhole(limit, 'listOf: limit', 'records', 1)
  checkOption(limit <= maxLimit, 'listOf: limit', 'at most maxLimit', limit)
  for (const name of sort) checkOption(Object.hasOwn(columns, name), 'listOf: sort', 'columns of the model', name)
  const filters = filter.map((name): [string, z.AnySchema] => {
    const { rule = '', args = [] } = columns[name] ?? {}
    const schema = PARAMETERS.includes(name) ? undefined : FILTERS[rule]?.(...args)
    checkOption(schema, 'listOf: filter', 'columns with short values, other than page, limit and sort', name)
    return [name, schema.optional()]
  })
  const parameters = { page: wholeOr(1, 9_999_999_999), limit: wholeOr(limit, maxLimit), sort: orderOf(sort) }
  return z
    .object({ ...Object.fromEntries(filters), ...parameters })
    .transform(({ page, limit, sort: orderBy, ...where }) => ({
      page,
      limit,
      orderBy,
      where: Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined)),
    }))
}

const PARAMETERS: readonly string[] = ['page', 'limit', 'sort']

/** The first value of a parameter: a repeated one is a list. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** A whole number from 1 to a maximum, which replaces larger ones. Anything else is ignored. */
const wholeOr = (fallback: number, max: number) =>
  z.meta(
    z.unknown().transform((value) => {
      const text = firstOf(value)
      return typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Math.min(Number(text), max) : fallback
    }),
    { type: 'integer', minimum: 1, maximum: max, default: fallback },
  )

/** The order of `-price,name`: by these columns, then by id. */
const orderOf = (columns: readonly string[]) =>
  z.meta(
    z.unknown().transform((value, context) => {
      const order: Record<string, 'asc' | 'desc'> = {}
      const text = firstOf(value)
      for (const word of (typeof text === 'string' ? text : '').split(',').filter(Boolean)) {
        const name = word.replace(/^-/, '')
        if (columns.includes(name)) order[name] ??= word.startsWith('-') ? 'desc' : 'asc'
        else context.addIssue({ code: 'custom', message: `Expected one of ${columns.join(', ')}` })
      }
      order.id ??= 'asc'
      return order
    }),
    { type: 'string', description: `By these columns, "-" for descending order: ${columns.join(', ')}` },
  )

const wholeNumber = () => {
  const digits = z.string().regex(/^-?\d{1,10}$/)
  return z.meta(digits.transform(Number).pipe(z.int32()), { type: 'integer' })
}

// any: each takes what its column was made with
const FILTERS: Readonly<Record<string, ((...args: any[]) => z.AnySchema) | undefined>> = {
  string: (length: number) => z.string().trim().max(length),
  email: () => z.string().trim().toLowerCase().max(255),
  url: () => z.string().max(1000),
  uuid: () => z.string().uuid(),
  integer: wholeNumber,
  boolean: () => z.enum(['true', 'false']).transform((text) => text === 'true'),
  enum: (values: [string, ...string[]]) => z.enum(values),
}

interface ShownColumn {
  readonly rule: string
  readonly args: readonly unknown[]
}

const INTEGER: ShownColumn = { rule: 'integer', args: [] }
const TIME: ShownColumn = { rule: 'date', args: [] }

/** The fields of a record that clients see. */
const shownColumns = (model: AnyModel & { readonly timestamps?: boolean }): Record<string, ShownColumn> => {
  const all: Readonly<Record<string, Field>> = model.fields
  const columns = Object.entries(all).flatMap(([name, { is, spec }]): [string, ShownColumn][] => {
    if (is === 'belongsTo') return [[`${name}Id`, INTEGER]]
    return 'rule' in spec && spec.visibility !== 'hidden' ? [[name, spec]] : []
  })
  const times = model.timestamps ? { createdAt: TIME, updatedAt: TIME } : {}
  return { id: INTEGER, ...Object.fromEntries(columns), ...times }
}
