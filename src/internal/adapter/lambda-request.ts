import { isHost } from '../client/host.ts'
import { fromBase64 } from '../crypto/encoding.ts'
import { refusal } from '../error/refusal.ts'
import { checkOption } from '../options/check.ts'

type Fields<Value> = Readonly<Record<string, Value | undefined>> | null

/** A request as API Gateway, an Application Load Balancer or a function URL passes it to a function. */
export interface LambdaEvent {
  readonly version?: string
  readonly httpMethod?: string
  readonly path?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly cookies?: readonly string[] | null
  readonly headers?: Fields<string>
  readonly multiValueHeaders?: Fields<readonly string[]>
  readonly queryStringParameters?: Fields<string>
  readonly multiValueQueryStringParameters?: Fields<readonly string[]>
  readonly requestContext?: {
    readonly stage?: string
    readonly domainName?: string
    readonly elb?: object
    readonly http?: { readonly method?: string; readonly sourceIp?: string }
    readonly identity?: { readonly sourceIp?: string | null }
  } | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

/** API Gateway with format 1.0 or 2.0 (function URLs too), a load balancer with one value per header or with lists. */
export type LambdaShape = 'v1' | 'v2' | 'alb' | 'alb-lists'

/** @throws {TypeError} for the event of another service. The message has the names of the fields, and no values. */
export const shapeOf = (event: LambdaEvent, feature: string): LambdaShape => {
  const { requestContext, httpMethod, multiValueHeaders } = Object(event) as LambdaEvent
  if (requestContext?.elb) return multiValueHeaders ? 'alb-lists' : 'alb'
  if (requestContext?.http) return 'v2'
  const expected = 'a request of API Gateway, a load balancer or a function URL'
  checkOption(typeof httpMethod === 'string', `${feature}: event`, expected, Object.keys(Object(event)))
  return 'v1'
}

/** @throws {Error} 400 for an event that no HTTP client can have caused: a header that HTTP forbids, invalid base64. */
export const toRequest = (event: LambdaEvent, shape: LambdaShape): Request => {
  try {
    const headers = headersOf(event)
    const method = event.requestContext?.http?.method ?? event.httpMethod ?? 'GET'
    const query = queryOf(event, shape)
    const url = originOf(event, shape, headers) + pathOf(event, shape) + (query && `?${query.replaceAll('#', '%23')}`)
    return new Request(url, { method, headers, body: /^(GET|HEAD)$/i.test(method) ? null : bodyOf(event) })
  } catch (cause) {
    throw refusal(400, 'Bad Request', { cause: new Error('The event is not a request', { cause }) })
  }
}

/** The address of the client. A load balancer has it only in a header, which is not trusted. */
export const peerOf = ({ requestContext }: LambdaEvent): string | undefined =>
  requestContext?.http?.sourceIp ?? requestContext?.identity?.sourceIp ?? undefined

/** API Gateway and function URLs only use TLS; a load balancer says which scheme was used. */
const originOf = ({ requestContext }: LambdaEvent, shape: LambdaShape, headers: Headers): string => {
  const { domainName = '' } = requestContext ?? {}
  const host = headers.get('host') ?? (isHost(domainName) ? domainName : 'localhost')
  if (!isHost(host)) throw new TypeError('Host is not a valid host')
  const plain = shape.startsWith('alb') && headers.get('x-forwarded-proto') !== 'https'
  return `${plain ? 'http' : 'https'}://${host}`
}

/** Characters in a decoded path that have another meaning in a URL. */
const NOT_A_PATH = /%(?![\da-f]{2})|[?#\\\s]/gi

/** The path without the stage that API Gateway has put before it. */
const pathOf = (event: LambdaEvent, shape: LambdaShape): string => {
  const rawPath = `${(shape === 'v2' ? event.rawPath : event.path) ?? ''}`
  const stage = stageIn(event, shape)
  const staged = stage && (rawPath === stage || rawPath.startsWith(`${stage}/`))
  const path = (staged ? rawPath.slice(stage.length) : rawPath).replace(NOT_A_PATH, encodeURIComponent)
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * HTTP APIs put the stage in front of the path: always in format 2.0, and only on their own domain in 1.0. REST APIs,
 * whose events have no version, never do: if such a path begins with the stage, the client has sent it.
 */
const stageIn = ({ version, requestContext }: LambdaEvent, shape: LambdaShape): string => {
  const { stage = '$default', domainName = '' } = requestContext ?? {}
  const hasStage = shape === 'v2' || (version && domainName.includes('.execute-api.'))
  return hasStage && stage !== '$default' ? `/${stage}` : ''
}

/** Format 2.0 has the query as it was sent, a load balancer leaves its parts encoded, format 1.0 decodes them. */
const queryOf = (event: LambdaEvent, shape: LambdaShape): string => {
  if (shape === 'v2') return `${event.rawQueryString ?? ''}`.replace(/^\?/, '')
  const lists = listsOf(event.multiValueQueryStringParameters ?? event.queryStringParameters)
  const pairs = lists.flatMap(([name, values]) => values.map((value) => [name, value]))
  return shape === 'v1' ? `${new URLSearchParams(pairs)}` : pairs.map((pair) => pair.join('=')).join('&')
}

const headersOf = ({ multiValueHeaders, headers, cookies }: LambdaEvent): Headers => {
  const fields = new Headers()
  for (const [name, values] of listsOf(multiValueHeaders ?? headers)) {
    // API Gateway's own example has a field without a name
    if (name) fields.append(name, values.join(/^cookie$/i.test(name) ? '; ' : ', '))
  }
  if (cookies?.length) fields.set('cookie', cookies.join('; '))
  return fields
}

const listsOf = (fields: LambdaEvent['headers' | 'multiValueHeaders']): [string, string[]][] =>
  Object.entries(fields ?? {}).map(([name, value]) => [name, [value ?? []].flat().map(String)])

const bodyOf = ({ body, isBase64Encoded }: LambdaEvent): string | Uint8Array<ArrayBuffer> | null => {
  if (!isBase64Encoded || !body) return body ?? null
  const bytes = fromBase64(body)
  if (!bytes) throw new TypeError('The body is not valid base64')
  return bytes
}
