import type { AnySchema, Awaitable, Context, Middleware, OutputOf } from '../context.ts'
import { badOption } from '../internal/headers.ts'
import { publicIssues } from '../internal/public-issues.ts'
import { recordOf } from '../internal/read-input.ts'
import { validate } from '../internal/validate.ts'
import type { Issue } from '../internal/validation-error.ts'
import { json } from '../respond/json.ts'

/** Part of the request that is validated. */
export type ValidationSource = 'body' | 'query' | 'params' | 'headers'

/** How a validator answers what does not fit. */
export interface ValidationFailure {
  /** Status of the answer. @default 422 */
  readonly status?: number
  /** Member `error` of the answer. @default 'Validation failed' */
  readonly message?: string
  /** Makes the answer in place of `{ error, issues }`; it sees the values received, which the answer should not show. */
  readonly onError?: (issues: readonly Issue[], ctx: Context) => Awaitable<Response>
}

/** Options of {@link validator}. */
export interface ValidatorOptions<S extends AnySchema, Source extends ValidationSource> extends ValidationFailure {
  /** A schema of `z`, of any library with Standard Schema v1, or an object with `safeParse`. */
  readonly schema: S
  /** Part of the request. @default 'body' */
  readonly source?: Source
}

/** What a validator writes to `ctx.state`. */
export interface Validated<S extends AnySchema, Source extends ValidationSource> {
  /** What the schema gave out; of several validators the last one's. */
  validated: OutputOf<S>
  /** The same by part of the request, so that several validators stand side by side. */
  valid: { [Part in Source]: OutputOf<S> }
}

/**
 * Let only requests through whose body, query, parameters or headers fit a schema.
 *
 * Writes `ctx.state.validated` and `ctx.state.valid[source]`. The body is `ctx.state.body` where a body parser ran, else
 * JSON or a form; GET, HEAD and OPTIONS have none and pass. Query and headers are records of strings, repeated query
 * names lists. What does not fit is answered with 422 `{ error, issues }`, never with the values received.
 *
 * @throws {TypeError} when made, without a schema or with an unknown source. @throws {RangeError} for a status that is no error.
 * @throws {HttpError} 400 for a malformed body, 415 for one that is neither JSON nor a form.
 * @example
 * app.post('/users', validator({ schema: object({ name: string() }) }), (ctx) => json(ctx.state.validated, 201))
 */
export const validator = <S extends AnySchema, Source extends ValidationSource = 'body'>(
  options: ValidatorOptions<S, Source>,
): Middleware<Validated<S, Source>> => {
  const { schema, source = 'body', status = 422, message = 'Validation failed', onError } = options
  if (!isSchema(schema)) throw badOption('schema', schema, 'a schema')
  if (!Object.hasOwn(READ, source)) throw badOption('source', source, `one of ${Object.keys(READ)}`)
  if (!(status >= 400 && status < 600)) throw new RangeError(`status: ${status} is not an error's`)

  return function validator(ctx, next) {
    if (source === 'body' && /^(GET|HEAD|OPTIONS)$/.test(ctx.method)) return next()
    const accept = (value: unknown): Awaitable<Response> => {
      const state: Record<string, unknown> = ctx.state
      state.validated = value
      state.valid = { ...(state.valid as object), [source]: value }
      return next()
    }
    const refuse = (error: { readonly issues?: readonly Issue[] }): Awaitable<Response> => {
      if (!error.issues) throw error
      if (onError) return onError(error.issues, ctx)
      return json({ error: message, issues: publicIssues(error.issues) }, status)
    }
    return validate(schema, READ[source](ctx), ctx).then(accept, refuse)
  }
}

/** {@link validator} of the body. */
export const validateBody = <S extends AnySchema>(
  schema: S,
  failure?: ValidationFailure,
): Middleware<Validated<S, 'body'>> => validator({ ...failure, schema, source: 'body' })

/** {@link validator} of the query: `validateQuery(object({ page: coerce.number() }))`. */
export const validateQuery = <S extends AnySchema>(
  schema: S,
  failure?: ValidationFailure,
): Middleware<Validated<S, 'query'>> => validator({ ...failure, schema, source: 'query' })

/** {@link validator} of the route parameters, which stay strings in `ctx.params`. */
export const validateParams = <S extends AnySchema>(
  schema: S,
  failure?: ValidationFailure,
): Middleware<Validated<S, 'params'>> => validator({ ...failure, schema, source: 'params' })

/** {@link validator} of the headers, by lower-case names. */
export const validateHeaders = <S extends AnySchema>(
  schema: S,
  failure?: ValidationFailure,
): Middleware<Validated<S, 'headers'>> => validator({ ...failure, schema, source: 'headers' })

/** The body that no parser has read is read by `validate`. */
const READ: Readonly<Record<ValidationSource, (ctx: Context<any>) => unknown>> = {
  body: (ctx) => ctx.state.body,
  query: (ctx) => recordOf(ctx.query),
  params: (ctx) => ctx.params,
  headers: (ctx) => recordOf(ctx.request.headers),
}

const isSchema = (schema: any): boolean => typeof (schema?.['~standard']?.validate ?? schema?.safeParse) === 'function'
