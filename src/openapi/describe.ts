import type { AnySchema } from '../any-schema.ts'
import type { Answers, Contract, Middleware } from '../context.ts'
import { env } from '../env.ts'
import { isChecking, type MismatchOptions, warnOf } from '../internal/openapi/mismatch.ts'
import { isSchema } from '../internal/openapi/responses.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { onResponse } from '../on-response.ts'

export type { Mismatch } from '../internal/openapi/mismatch.ts'

/** An answer: a schema of its JSON, or more about it. */
export type ResponseDescription =
  | AnySchema
  | {
      /** @default the reason phrase of the status */
      readonly description?: string
      /** What the body holds. @default no body */
      readonly schema?: AnySchema
      /** @default 'application/json' */
      readonly contentType?: string
      /** Header Objects by name, as OpenAPI writes them. */
      readonly headers?: Readonly<Record<string, object>>
    }

/** Answers by status; `default` is every other one. */
export interface ResponseDescriptions {
  readonly [status: number | `${number}XX`]: ResponseDescription
  readonly default?: ResponseDescription
}

/** What {@link describe} says about a route. */
export interface DescribeOptions<Responses extends ResponseDescriptions = ResponseDescriptions> {
  /** One line. */
  readonly summary?: string
  /** More, in CommonMark. */
  readonly description?: string
  /** Groups that it is shown in. */
  readonly tags?: readonly string[]
  /** Name of the operation for generated clients. @default made from method and path */
  readonly operationId?: string
  /** True if it will go. @default false */
  readonly deprecated?: boolean
  /** What it asks for, instead of what its middleware says; `[]` is nothing. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Schemas of what the handler reads by itself, as with `ctx.validate`. Validators say this alone. */
  readonly request?: {
    readonly body?: AnySchema
    readonly query?: AnySchema
    readonly params?: AnySchema
    readonly headers?: AnySchema
  }
  /** Answers by status; `default` is every other one. */
  readonly responses?: Responses & { readonly [Name in NoStatus<keyof Responses>]: never }
  /** True keeps the route out of the document. @default false */
  readonly hidden?: boolean
}

/** Keys that are no status, which an index signature alone would let pass. */
type NoStatus<Key> = Exclude<Key, number | `${number}XX` | 'default'>

/** What {@link describe} adds to the type of a route: its answers, if it names any. */
export type Described<Responses> = {} extends Responses ? {} : Answers<Responses>

/** How {@link describe} checks answers. */
export interface DescribeCheck extends MismatchOptions {
  /** True compares each answer with `responses` in development and in tests. @default false */
  readonly check?: boolean
}

/**
 * Say what a route does, for `openapi`. The step runs once: with the first request it takes itself out of the route.
 *
 * A client of `sluice/client` gets its types from `responses`: the schema of a status is what its JSON is.
 *
 * With `check: true` it looks at answers, where NODE_ENV is `development` or `test`: JSON that does not fit its schema, and
 * a status that nobody described, are printed. The answer itself stays as it is.
 *
 * @throws {TypeError} when created, for an unknown or a bad option.
 * @example
 * app.get('/users/:id', describe({ summary: 'One user', responses: { 200: User } }), findUser)
 */
export const describe = <Responses extends ResponseDescriptions = {}>(
  options: DescribeOptions<Responses>,
  check: DescribeCheck = {},
): Middleware<Described<Responses>> => {
  checkNames(
    'describe',
    options,
    'summary:string description:string tags:object operationId:string deprecated:boolean security:object ' +
      'request:object responses:object hidden:boolean',
  )
  checkNames('describe', check, 'check:boolean onMismatch:function')
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
  const compare = check.check && isChecking(env('NODE_ENV')) ? warnOf(responses, check) : undefined
  const step: Middleware<Described<Responses>> = compare
    ? function describe(ctx, next) {
        onResponse(ctx, (response) => compare(response, ctx))
        return next()
      }
    : function describe(ctx, next) {
        leave(ctx as unknown as Routed, step)
        return next()
      }
  return Object.assign(step, { describes })
}

/** A context of `toFetch`, with the route that was found and its folded chain. */
interface Routed {
  readonly matched?: { readonly value: Target }
}

interface Target {
  route?: { readonly middleware: readonly unknown[] }
  /** The route as it was, for `checkAnswers`. */
  told?: Target['route']
  chain?: unknown
}

/** Take a step out of the route that is running, so that its chain is folded without it when it is hit again. */
const leave = ({ matched }: Routed, step: unknown): void => {
  const target = matched?.value
  const route = target?.route
  if (!target || !route?.middleware.includes(step)) return
  target.told ??= route
  // A copy: the plan itself stays as it is
  target.route = { ...route, middleware: route.middleware.filter((one) => one !== step) }
  target.chain = undefined
}

export type { MismatchOptions }
