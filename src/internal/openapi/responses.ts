import { ERROR_REASONS } from '../error/reason.ts'
import type { Contract } from '../route/contract.ts'
import { isSchema } from '../schema/check-value.ts'
import type { Schemas } from './schemas.ts'
import type { JsonSchema, ResponseObject } from './types.ts'

/** Reason phrases of responses other than errors that are often described (RFC 9110 §15). */
const REASONS: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
}

const textOf = (status: string | number): string =>
  REASONS[status] ?? ERROR_REASONS[Number(status)] ?? `Status ${status}`

const TEXT: JsonSchema = { type: 'string' }

const objectOf = (required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

/** The body of a refusal (see `refuse`). */
const REFUSAL = objectOf(['error'], { error: TEXT, code: TEXT })

const ISSUES: JsonSchema = {
  type: 'array',
  items: objectOf(['path', 'message', 'code'], {
    path: { type: 'array', items: { type: ['string', 'number'] } },
    message: TEXT,
    code: TEXT,
    expected: {},
    received: TEXT,
  }),
}

/** The body of the response to invalid input. */
const FAILURE = objectOf(['error', 'issues'], { error: TEXT, issues: ISSUES })

/** The body of `problemJson` (RFC 9457). */
const PROBLEM = objectOf(['type', 'title', 'status'], {
  type: { type: 'string', format: 'uri-reference' },
  title: TEXT,
  status: { type: 'integer' },
  detail: TEXT,
  instance: TEXT,
  code: TEXT,
  errors: ISSUES,
})

/** The `onError` and `onRefusal` of an application, which may describe their responses. */
export interface ErrorFormats {
  readonly onError?: { readonly problemDetails?: 'always' | 'negotiated' } | undefined
  readonly onRefusal?: ErrorFormats['onError']
}

const JSON_TYPE = 'application/json'

interface DescribedResponse {
  readonly description?: string
  readonly schema?: unknown
  readonly contentType?: string
  readonly headers?: object
}

/** The description for a status: only a schema, or more. */
export const toDescribed = (value: unknown): DescribedResponse =>
  isSchema(value) || typeof value === 'function' ? { schema: value } : (value as DescribedResponse)

/** The responses of a route: the described ones, then those of its middleware. */
export const responsesOf = (
  described: Readonly<Record<string, unknown>>,
  contracts: readonly Contract[],
  isUnsafe: boolean,
  schemas: Schemas,
  where: string,
  formats: ErrorFormats = {},
): Record<string, ResponseObject> => {
  const responses: Record<string, ResponseObject> = {}
  for (const [status, value] of Object.entries(described)) {
    const { description = textOf(status), schema, contentType, headers } = toDescribed(value)
    const content = schema
      ? { [contentType ?? JSON_TYPE]: { schema: schemas.describe(schema, `${where}: ${status}`, 'output') } }
      : contentType && { [contentType]: {} }
    responses[status] = { description, ...(headers && { headers }), ...(content && { content }) }
  }
  if (!Object.keys(responses).some((status) => /^([123]|default)/.test(status)))
    responses.default = { description: 'Response of the handler' }
  /** `thrown`: such an error always reaches the application's own `onError`. */
  const addRefusal = (status: number, name: string, schema: JsonSchema, thrown: boolean): void => {
    if (responses[status]) return
    const format = thrown ? formats.onError : formats.onRefusal
    const isJson = !format || format.problemDetails === 'negotiated'
    const content = {
      ...(format?.problemDetails && { 'application/problem+json': { schema: schemas.own('ProblemDetails', PROBLEM) } }),
      ...(isJson && { [JSON_TYPE]: { schema: schemas.own(name, schema) } }),
    }
    responses[status] = { description: textOf(status), ...(Object.keys(content).length && { content }) }
  }
  for (const { source, status = 422, ownErrorResponse, statuses = [], unsafe } of contracts) {
    if ((unsafe || source === 'body') && !isUnsafe) continue
    if (source && ownErrorResponse) responses[status] ??= { description: textOf(status) }
    else if (source) addRefusal(status, 'ValidationRefusal', FAILURE, false)
    for (const code of source === 'body' ? [400, 413, 415] : statuses)
      addRefusal(code, 'Refusal', REFUSAL, source === 'body' || /^4(00|13|15)$/.test(`${code}`))
  }
  return responses
}
