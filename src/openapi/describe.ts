import { env } from '../env/env.ts'
import { compareResponse, isChecking } from '../internal/openapi/mismatch.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { InputSource } from '../internal/route/contract.ts'
import { isSchema } from '../internal/schema/check-value.ts'
import type { AnySchema } from '../internal/types/any-schema.ts'
import type { Contract, Middleware, ResponsesByStatus } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'

/** A response: the schema of its JSON, or a fuller description. */
export type ResponseDescription =
  | AnySchema
  | {
      /** @default the reason phrase of the status */
      readonly description?: string
      /** Schema of the body. @default no body */
      readonly schema?: AnySchema
      /** @default 'application/json' */
      readonly contentType?: string
      /** Header Objects by name, as in OpenAPI. */
      readonly headers?: Readonly<Record<string, object>>
    }

/** Responses by status; `default` is for all others. */
export interface ResponseDescriptions {
  readonly [status: number | `${number}XX`]: ResponseDescription
  readonly default?: ResponseDescription
}

/** The description of a route for {@link describe}. */
export interface DescribeOptions<Responses extends ResponseDescriptions = ResponseDescriptions> {
  /** A summary in one line. */
  readonly summary?: string
  /** A longer description, in CommonMark. */
  readonly description?: string
  /** Tags under which it is listed. */
  readonly tags?: readonly string[]
  /** Name of the operation for generated clients. @default derived from method and path */
  readonly operationId?: string
  /** Whether it is deprecated. @default false */
  readonly deprecated?: boolean
  /** Security requirements, instead of those of its middleware; `[]` means none. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Schemas of the input that the handler reads itself, as with `ctx.validate`. */
  readonly request?: { readonly [Source in InputSource]?: AnySchema }
  /** Responses by status; `default` is for all others. */
  readonly responses?: Responses & { readonly [Name in NoStatus<keyof Responses>]: never }
  /** True keeps the route out of the document. @default false */
  readonly hidden?: boolean
}

/** An index signature alone would accept keys that are not a status. */
type NoStatus<Key> = Exclude<Key, number | `${number}XX` | 'default'>

/** What {@link describe} adds to the type of a route: its responses, if it names any. */
export type DescribedResponses<Responses> = [keyof Responses] extends [never] ? {} : ResponsesByStatus<Responses>

/** Options of the check of {@link describe}. */
export interface DescribeCheck {
  /** Compare each response with `responses`, in development and in tests. @default false */
  readonly check?: boolean
}

/**
 * Describe a route for `openapi`, and its responses for the types of `sluice/client`. Does not change requests or
 * responses.
 *
 * With `check: true`, JSON that does not match its schema, and a status that is not described, are printed if NODE_ENV
 * is `development` or `test`.
 *
 * @throws {TypeError} when created, for an unknown or a bad option.
 * @example
 * app.get('/users/:id', describe({ summary: 'One user', responses: { 200: User } }), findUser)
 */
export const describe = <Responses extends ResponseDescriptions = {}>(
  options: DescribeOptions<Responses>,
  check: DescribeCheck = {},
): Middleware<DescribedResponses<Responses>> => {
  const texts = 'summary:string description:string operationId:string'
  const names = `${texts} tags:object deprecated:boolean security:object request:object responses:object hidden:boolean`
  checkNames('describe', options, names)
  checkNames('describe', check, 'check:boolean')
  const { hidden = false, ...operation } = options
  const { request = {} } = operation
  const responses: Readonly<Record<string, unknown>> = { ...operation.responses }
  checkNames('describe: request', request, 'body query params headers')
  for (const [part, schema] of Object.entries(request))
    checkOption(!schema || isSchema(schema), `describe: request: ${part}`, 'a schema', schema)
  for (const [status, described] of Object.entries(responses)) {
    const name = `describe: responses: ${status}`
    checkOption(/^([1-5](\d\d|XX)|default)$/.test(status), name, 'a status, such as 200 or 2XX', status)
    if (!isSchema(described))
      checkNames(name, described as object, 'description:string schema contentType:string headers')
  }
  const describes: Contract = { hidden, operation }
  const compares = check.check && isChecking(env('NODE_ENV'))
  const middleware: Middleware<DescribedResponses<Responses>> = function describe(ctx, next) {
    if (compares) onResponse(ctx, (response) => compareResponse(responses, response, ctx))
    return next()
  }
  return Object.assign(middleware, { describes, '~passes': true })
}
