import type { AnySchema, InputOf, OutputOf } from '../any-schema.ts'
import type { AnyContext, Awaitable, Context, Middleware, Takes } from '../context.ts'
import { after, attempt } from '../internal/awaitable.ts'
import { inputAs } from '../internal/body/input.ts'
import { recordOf } from '../internal/body/record.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { publicIssues } from '../internal/public-issues.ts'
import { checkValue, isSchema } from '../internal/schema/check-value.ts'
import type { Issue } from '../internal/validation-error.ts'
import { refuse } from '../refuse.ts'

/** Part of the request that is validated. */
export type ValidationSource = 'body' | 'query' | 'params' | 'headers'

/** How a validator responds to invalid input. */
export interface ValidationFailure {
  /** Status of the response. @default 422 */
  readonly status?: number
  /** `error` of the response. @default 'Validation failed' */
  readonly message?: string
  /**
   * Creates the response instead of `{ error, issues }`. The issues contain received values, which the response should
   * not show.
   */
  readonly onError?: (issues: readonly Issue[], ctx: Context) => Awaitable<Response>
}

/** Options of {@link validator}. */
export interface ValidatorOptions<S extends AnySchema, Source extends ValidationSource> extends ValidationFailure {
  /** A schema of `z`, of any library with Standard Schema v1, or an object with `safeParse`. */
  readonly schema: S
  /** Part of the request. @default 'body' */
  readonly source?: Source
}

/** What a validator writes to `ctx.state`, by its schema. */
export type Validated<S extends AnySchema, Source extends ValidationSource> = Valid<InputOf<S>, OutputOf<S>, Source>

/**
 * What a validator writes to `ctx.state`, by the input and the output of its schema, so that the compiler reads the
 * schema once.
 */
export interface Valid<In, Out, Source extends ValidationSource> extends Takes<{ readonly [Part in Source]: In }> {
  /** The output of the schema; with several validators, that of the last one. */
  validated: Out
  /** The outputs by part of the request, for several validators. */
  valid: { [Part in Source]: Out }
}

/**
 * Accept only requests whose body, query, parameters or headers match a schema.
 *
 * Writes `ctx.state.validated` and `ctx.state.valid[source]`. The body is `ctx.state.body` if a body parser ran, else
 * JSON or a form; for GET, HEAD and OPTIONS it is not validated. Query and headers are records of strings; repeated
 * query parameters are lists. Invalid input gives 422 `{ error, issues }`, without the received values.
 *
 * @throws {TypeError} when created, for a bad option: no schema, an unknown source, a status below 400.
 * @throws {Error} with `status` 400 for a malformed body, 415 for one that is neither JSON nor a form.
 * @example
 * app.post('/users', validator({ schema: object({ name: string() }) }), (ctx) => json(ctx.state.validated, 201))
 */
export const validator = <In, Out, Source extends ValidationSource = 'body'>(
  options: ValidatorOptions<AnySchema<Out, In>, Source>,
): Middleware<Valid<In, Out, Source>> => {
  checkNames('validator', options, 'schema source status message:string onError:function')
  const { schema, source = 'body', status = 422, message = 'Validation failed', onError } = options
  checkOption(isSchema(schema), 'validator: schema', 'a schema', schema)
  checkOption(Object.hasOwn(READ, source), 'validator: source', `one of ${Object.keys(READ).join(', ')}`, source)
  checkOption(
    Number.isInteger(status) && status >= 400 && status < 600,
    'validator: status',
    'a status from 400 to 599',
    status,
  )

  const middleware: Middleware<Valid<In, Out, Source>> = function validator(ctx, next) {
    if (source === 'body' && /^(GET|HEAD|OPTIONS)$/.test(ctx.method)) return next()
    const accept = (value: unknown): Awaitable<Response> => {
      const state = ctx.state as { validated: unknown; valid: unknown }
      state.validated = value
      state.valid = { ...(state.valid as object), [source]: value }
      return next()
    }
    const reject = (error: Thrown): Awaitable<Response> => {
      if (!error.issues) throw error
      if (onError) return onError(error.issues, ctx)
      return refuse(ctx, status, message, { issues: publicIssues(error.issues) })
    }
    // Returns what to do next, so that an error of `next()` is never mistaken for one of the schema
    const outcome = attempt<Context, () => Awaitable<Response>>(
      () => READ[source](ctx, (value) => after(checkValue(schema, value), (valid) => () => accept(valid))),
      ctx,
      (error) => () => reject(error as Thrown),
    )
    return after(outcome, (go) => go())
  }
  return Object.assign(middleware, {
    describes: { source: source as Source, schema, status, ownAnswer: !!onError },
    passes: true,
  })
}

/** A failed validation, or anything else that was thrown. */
interface Thrown {
  readonly issues?: readonly Issue[]
}

/** The schema and the part are arguments: as options they would have no effect. */
const known = (failure: ValidationFailure = {}): ValidationFailure => {
  checkNames('validator', failure, 'status message onError')
  return failure
}

/** {@link validator} of the body. */
export const validateBody = <In, Out>(
  schema: AnySchema<Out, In>,
  failure?: ValidationFailure,
): Middleware<Valid<In, Out, 'body'>> => validator({ ...known(failure), schema, source: 'body' })

/** {@link validator} of the query: `validateQuery(object({ page: coerce.number() }))`. */
export const validateQuery = <In, Out>(
  schema: AnySchema<Out, In>,
  failure?: ValidationFailure,
): Middleware<Valid<In, Out, 'query'>> => validator({ ...known(failure), schema, source: 'query' })

/** {@link validator} of the route parameters, which stay strings in `ctx.params`. */
export const validateParams = <In, Out>(
  schema: AnySchema<Out, In>,
  failure?: ValidationFailure,
): Middleware<Valid<In, Out, 'params'>> => validator({ ...known(failure), schema, source: 'params' })

/** {@link validator} of the headers, by lower-case names. */
export const validateHeaders = <In, Out>(
  schema: AnySchema<Out, In>,
  failure?: ValidationFailure,
): Middleware<Valid<In, Out, 'headers'>> => validator({ ...known(failure), schema, source: 'headers' })

/** What is called with a part of the request. */
type Take<T> = (part: unknown) => Awaitable<T>

/** Where each part is read. A body that no parser has read is read here. */
const READ: Readonly<Record<ValidationSource, <T>(ctx: AnyContext, take: Take<T>) => Awaitable<T>>> = {
  body: (ctx, take) => (ctx.state.body === undefined ? inputAs(ctx, take) : take(ctx.state.body)),
  query: (ctx, take) => take(recordOf(ctx.query)),
  params: (ctx, take) => take(ctx.params),
  headers: (ctx, take) => take(recordOf(ctx.request.headers)),
}
