import { readFileSync } from 'node:fs'
import type { LambdaContext, LambdaEvent, LambdaHandler, LambdaResult } from '../../src/adapter/aws-lambda.ts'
import { toLambdaHandler } from '../../src/adapter/aws-lambda.ts'
import type { Execution } from '../../src/internal/types/context.ts'

/** An event that the documentation of a platform shows. */
export const recorded = (name: string): any =>
  // any: whatever a platform sends
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')).event

/** What an application sees of an event. */
export interface Seen {
  readonly request: Request
  readonly env: any // any: what a platform hands over
  readonly execution: Execution | undefined
  readonly bytes: Uint8Array
}

/** The request that an event becomes; nothing if it was refused. */
export const seen = async (event: LambdaEvent, context?: LambdaContext): Promise<Seen | undefined> => {
  let got: Seen | undefined
  const handler = toLambdaHandler(async (request, env, execution) => {
    got = { request, env, execution, bytes: new Uint8Array(await request.clone().arrayBuffer()) }
    return new Response(null)
  })
  await handler(event, context)
  return got
}

export type Format = 'v1' | 'v2' | 'alb' | 'alb-lists'
export const formats: readonly Format[] = ['v1', 'v2', 'alb', 'alb-lists']

/** Several values by name, as they come. */
const grouped = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  const lists: Record<string, string[]> = Object.create(null)
  for (const [name, value] of pairs) lists[name] = [...(lists[name] ?? []), value]
  return lists
}

const last = (lists: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1)!]))

/** A request as the platform's documentation says that it becomes an event. */
export const encode = async (request: Request, format: Format): Promise<LambdaEvent> => {
  const url = new URL(request.url)
  const bytes = Buffer.from(await request.clone().arrayBuffer())
  const { method } = request
  const headers = grouped([...request.headers, ['host', url.host], ['x-forwarded-proto', 'https']])
  const body = bytes.length ? bytes.toString('base64') : null
  const common = { body, isBase64Encoded: bytes.length > 0 }
  const raw = grouped(
    url.search
      .slice(1)
      .split('&')
      .filter(Boolean)
      .map((part) => {
        const [name = '', ...rest] = part.split('=')
        return [name, rest.join('=')] as const
      }),
  )
  if (format === 'v2') {
    const { cookie, ...others } = headers
    return {
      ...common,
      version: '2.0',
      rawPath: url.pathname,
      rawQueryString: url.search.slice(1),
      ...(cookie && { cookies: cookie.flatMap((line) => line.split('; ')) }),
      headers: Object.fromEntries(Object.entries(others).map(([name, values]) => [name, values.join(',')])),
      requestContext: { http: { method, sourceIp: '192.0.2.1' }, stage: '$default' },
    }
  }
  const rest = { ...common, httpMethod: method, path: url.pathname }
  if (format === 'v1') {
    const query = grouped(url.searchParams)
    return {
      ...rest,
      headers: last(headers),
      multiValueHeaders: headers,
      queryStringParameters: last(query),
      multiValueQueryStringParameters: query,
      requestContext: { identity: { sourceIp: '192.0.2.1' }, stage: 'prod' },
    }
  }
  const requestContext = { elb: { targetGroupArn: 'arn' } }
  return format === 'alb'
    ? { ...rest, requestContext, headers: last(headers), queryStringParameters: last(raw) }
    : { ...rest, requestContext, multiValueHeaders: headers, multiValueQueryStringParameters: raw }
}

/** The response that a client gets for a result, as the platform's documentation says. */
export const decode = (result: LambdaResult): Response => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(result.headers ?? {})) headers.append(name, value)
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) {
    headers.delete(name)
    for (const value of values) headers.append(name, value)
  }
  for (const cookie of result.cookies ?? []) headers.append('set-cookie', cookie)
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8')
  return new Response(bytes.length ? bytes : null, { status: result.statusCode, headers })
}

/** A `fetch` that goes through an event and its result. */
export const through =
  (handler: LambdaHandler, format: Format) =>
  async (request: Request): Promise<Response> =>
    decode(await handler(await encode(request, format)))
