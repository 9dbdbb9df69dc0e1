import { DEV } from '#mode'
import type { Issue } from '../errors/validation-error.ts'
import { INPUT_TYPES } from '../internal/body/input.ts'
import { READ, readJson, type ValidationSource } from '../internal/body/read-part.ts'
import { unsupported } from '../internal/error/unsupported.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { isPromise } from '../internal/promise/awaitable.ts'
import { checkValue, checkValueIn, isSchema } from '../internal/schema/check-value.ts'
import { publicIssues } from '../internal/schema/public-issues.ts'
import type { AnySchema, InputOf, OutputOf } from '../internal/types/any-schema.ts'
import type {
  AnyContext,
  Awaitable,
  CallbackContext,
  Context,
  Middleware,
  RequestInput,
} from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

export type { ValidationSource } from '../internal/body/read-part.ts'

/** Writes the message of an issue in one language: an error map of `z`. */
export type Locale = (issue: any, context: any) => { readonly message: string } // any: those of `z`, which is not imported

/** How a validator responds to invalid input. */
export interface ValidationFailure<Extra = unknown> {
  /** Status of the response. @default 422 */
  readonly status?: number
  /** `error` of the response. @default 'Validation failed' */
  readonly message?: string
  /** Creates the response. The issues contain received values: do not show them. @default `{ error, issues }` */
  readonly onError?: (issues: readonly Issue[], ctx: CallbackContext<Extra>) => Awaitable<Response>
  /**
   * Locales by language, such as `{ de, fr }` of `sluice/z/locales/…`, for the messages of `z` in the language that the
   * middleware `language` has chosen. `createLocale` makes others for `sluice/z`. @default the messages of the schema
   */
  readonly locales?: Readonly<Record<string, Locale>>
}

/** How the validator of a body responds to invalid input, and which bodies it takes. */
export interface BodyValidation<Extra = unknown> extends ValidationFailure<Extra> {
  /**
   * The only kind of body that is accepted; any other is a 415. A form of another site needs no preflight, JSON does.
   * With `'json'`, Bun, Deno and workerd may keep no bytes: then readers other than `ctx.json()` throw. @default both
   */
  readonly type?: 'json' | 'form'
}

/** Options of {@link validator}. */
export interface ValidatorOptions<S extends AnySchema, Source extends ValidationSource, Extra = unknown>
  extends BodyValidation<Extra> {
  /** A schema of `z`, of any library with Standard Schema v1, or an object with `safeParse`. */
  readonly schema: S
  /** Part of the request. @default 'body' */
  readonly source?: Source
}

/** What a validator writes to `ctx.state`, by its schema. */
export type Validated<S extends AnySchema, Source extends ValidationSource> = Valid<InputOf<S>, OutputOf<S>, Source>

/** What a validator writes to `ctx.state`, by the input and the output of its schema, which the compiler reads once. */
export interface Valid<In, Out, Source extends ValidationSource>
  extends RequestInput<{ readonly [Part in Source]: In }> {
  /** The output of the schema; with several validators, that of the last one. */
  validated: Out
  /** The outputs by part of the request, for several validators. */
  valid: { [Part in Source]: Out }
}

/**
 * Accept only requests whose body, query, parameters or headers match a schema.
 *
 * Writes `ctx.state.validated` and `ctx.state.valid[source]`. The body is `ctx.state.body` if a body parser ran, else
 * JSON or a form; for GET, HEAD and OPTIONS it is not validated. Query and headers are records of strings. In a query
 * or form, a repeated name, and a name for which the schema has a list, is a list. Invalid input is a 422
 * `{ error, issues }`, without the received values.
 *
 * @throws {TypeError} when created, for a bad option: no schema, an unknown source, a status below 400.
 * @throws {Error} with `status` 400 for a malformed body, 415 for one that is neither JSON nor a form.
 * @example
 * app.post('/users', validator({ schema: object({ name: string() }) }), (ctx) => json(ctx.state.validated, 201))
 */
export const validator = <In, Out, Source extends ValidationSource = 'body', Extra = unknown>(
  options: ValidatorOptions<AnySchema<Out, In>, Source, Extra>,
): Middleware<Valid<In, Out, Source>, {}, Extra> => {
  checkNames('validator', options, 'schema source status message:string onError:function locales:object type')
  const { schema, source = 'body', status = 422, message = 'Validation failed', locales, type } = options
  const { onError } = options as ValidatorOptions<AnySchema<Out, In>, Source>
  if (DEV) {
    checkOption(isSchema(schema), 'validator: schema', 'a schema', schema)
    checkOption(Object.hasOwn(READ, source), 'validator: source', `one of ${Object.keys(READ).join(', ')}`, source)
    const isError = Number.isInteger(status) && status >= 400 && status < 600
    checkOption(isError, 'validator: status', 'a status from 400 to 599', status)
    const fits = type === undefined || (source === 'body' && Object.hasOwn(INPUT_TYPES, type))
    checkOption(fits, 'validator: type', '"json" or "form", for a body', type)
  }

  const read = type === 'json' ? readJson : READ[source]
  const checkPlain = (part: unknown): Awaitable<unknown> => checkValue(schema, part)
  const accept = (value: unknown, { state }: AnyContext, next: () => Awaitable<Response>): Awaitable<Response> => {
    state.validated = value
    state.valid = { ...state.valid, [source]: value }
    return next()
  }
  const reject = (error: Thrown, ctx: Context): Awaitable<Response> => {
    if (!error.issues) throw error
    if (onError) return onError(error.issues, ctx)
    return refuse(ctx, status, message, { issues: publicIssues(error.issues) })
  }
  const middleware: Middleware<Valid<In, Out, Source>> = function validator(ctx, next) {
    if (source === 'body' && /^(GET|HEAD|OPTIONS)$/.test(ctx.method)) return next()
    if (type && !INPUT_TYPES[type].test(ctx.header('content-type') ?? '')) throw unsupported('accept', ACCEPT[type])
    const check = locales
      ? (part: unknown): Awaitable<unknown> => checkValueIn(schema, part, localeOf(ctx, locales))
      : checkPlain
    let value: Awaitable<unknown>
    try {
      value = read(ctx, schema, check)
    } catch (error) {
      return reject(error as Thrown, ctx)
    }
    // With two arguments, an error of `next()` is never treated as one of the schema
    return isPromise(value)
      ? value.then(
          (late) => accept(late, ctx, next),
          (error) => reject(error, ctx),
        )
      : accept(value, ctx, next)
  }
  return Object.assign(middleware, {
    describes: { source: source as Source, schema, status, ownErrorResponse: !!onError, type },
    '~passes': true,
  })
}

/** The `Accept` of a 415 (RFC 9110 §15.5.16). */
const ACCEPT = { json: 'application/json', form: 'application/x-www-form-urlencoded, multipart/form-data' } as const

/** The locale of `de-CH`, else that of `de`. */
const localeOf = (ctx: Context, locales: Readonly<Record<string, Locale>>): Locale | undefined => {
  const { language } = ctx.state as { readonly language?: unknown }
  const tags = [`${language}`, `${language}`.split('-', 1)[0]!]
  return locales[tags.find((tag) => Object.hasOwn(locales, tag)) ?? '']
}

/** A failed validation, or anything else that was thrown. */
type Thrown = { readonly issues?: readonly Issue[] }

/** {@link validator} with the schema as an argument. `schema` and `source` have no effect as options. */
const validatePart = <In, Out, Source extends ValidationSource, Extra>(
  source: Source,
  schema: AnySchema<Out, In>,
  failure: BodyValidation<Extra> = {},
): Middleware<Valid<In, Out, Source>, {}, Extra> => {
  if (DEV) checkOption(isSchema(schema), 'validator: schema', 'a schema', schema)
  checkNames('validator', failure, 'status message onError locales type')
  return validator({ ...failure, schema, source })
}

/** The type of {@link validateQuery} and the like. */
type PartValidator<Source extends ValidationSource> = <In, Out, Extra = unknown>(
  schema: AnySchema<Out, In>,
  failure?: ValidationFailure<Extra>,
) => Middleware<Valid<In, Out, Source>, {}, Extra>

/**
 * {@link validator} of the body.
 *
 * @example
 * app.post('/users', validateBody(User, { type: 'json' }), create)
 */
export const validateBody = <In, Out, Extra = unknown>(
  schema: AnySchema<Out, In>,
  failure?: BodyValidation<Extra>,
): Middleware<Valid<In, Out, 'body'>, {}, Extra> => validatePart('body', schema, failure)

/** {@link validator} of the query: `validateQuery(object({ page: coerce.number() }))`. */
export const validateQuery: PartValidator<'query'> = (schema, failure) => validatePart('query', schema, failure)

/** {@link validator} of the route parameters, which stay strings in `ctx.params`. */
export const validateParams: PartValidator<'params'> = (schema, failure) => validatePart('params', schema, failure)

/** {@link validator} of the headers, by lower-case names. */
export const validateHeaders: PartValidator<'headers'> = (schema, failure) => validatePart('headers', schema, failure)
