import { shortJson } from '#runtime/short-response'
import type { Context, Middleware } from '../context.ts'
import { parseAccept } from '../internal/accept.ts'
import { isToken } from '../internal/headers.ts'

/** Options of {@link apiVersion}. */
export interface ApiVersionOptions {
  /** Where the version is read: a header, the path `/v<version>/…`, a query parameter, or Accept. @default 'header' */
  readonly strategy?: 'header' | 'path' | 'query' | 'accept'
  /** Name of the header. @default 'api-version' */
  readonly header?: string
  /** Name of the query parameter. @default 'version' */
  readonly queryParam?: string
  /** Versions that are served: any tokens, `'2'` or `'2024-11-01'`. */
  readonly versions: readonly string[]
  /** Version of requests that name none. @default the first of `versions` */
  readonly default?: string
  /** Refuse requests that name no version with 400. @default false */
  readonly required?: boolean
}

/** What {@link apiVersion} writes to `ctx.state`. */
export interface ApiVersionState {
  apiVersion: string
}

/** Status of an unsupported version: the request is wrong, its path leads nowhere, or nothing acceptable is left. */
const REFUSAL: Readonly<Record<string, number>> = { header: 400, query: 400, path: 404, accept: 406 }

/**
 * Find out which version of the API a request wants, and say which one answers.
 *
 * Writes `ctx.state.apiVersion`; by path also `ctx.state.originalPath`, and `ctx.path` without the version, so that
 * `/v2/users` reaches the route `/users`. Sends `API-Version`, and `Vary` where a header decides.
 * A version that is not served is answered with 400 (header, query), 404 (path) or 406 (accept).
 *
 * @throws {TypeError} when made, for an unknown strategy, a version that is no token, or a default that is not among them.
 * @example
 * createApp().use(apiVersion({ strategy: 'path', versions: ['1', '2'], default: '1' }))
 */
export const apiVersion = (options: ApiVersionOptions): Middleware<ApiVersionState> => {
  const { strategy = 'header', header = 'api-version', queryParam = 'version', versions, required } = options
  const { default: fallback = versions[0]! } = options
  const status = REFUSAL[strategy]
  if (!status || !versions.includes(fallback) || ![header, ...versions].every(isToken))
    throw TypeError(`strategy:${strategy},header:${header},versions:${versions},default:${fallback}`)
  const vary = strategy === 'header' ? ['vary', header] : strategy === 'accept' ? ['vary', 'Accept'] : []
  const fields = new Map(versions.map((version) => [version, [...vary, 'api-version', version]]))
  const read = {
    header: (ctx: Context) => ctx.header(header),
    query: (ctx: Context) => ctx.query.get(queryParam),
    path: (ctx: Context) => fromPath(ctx, fields),
    accept: (ctx: Context) => fromAccept(ctx.header('accept') ?? '', fields),
  }[strategy]

  return Object.assign<Middleware<ApiVersionState>, { rewrites: boolean }>(
    function apiVersion(ctx, next) {
      const asked = read(ctx)
      const version = asked || (required ? '' : fallback)
      ctx.onResponse(fields.get(version) ?? vary)
      if (!fields.has(version))
        return shortJson({ error: 'Unsupported API version', version, supported: versions }, asked ? status : 400)
      ctx.state.apiVersion = version
      return next()
    },
    { rewrites: strategy === 'path' },
  )
}

/** The version that leads the path, which loses it. A segment such as `/videos` is none: it starts with a digit or is served. */
const fromPath = (ctx: Context, served: ReadonlyMap<string, unknown>): string | undefined => {
  const { basePath, path } = ctx
  const [, version, rest] = /^\/v([^/]+)(.*)/.exec(path.slice(basePath.length)) ?? []
  if (!path.startsWith(basePath) || !version || !(served.has(version) || /^\d/.test(version))) return undefined
  ctx.state.originalPath = path
  ctx.path = basePath + rest || '/'
  return version
}

/** The most wanted version of a vendor type (RFC 9110 §12.5.1): `application/vnd.api+json;version=2` or `application/vnd.shop.v2+json`. */
const fromAccept = (accept: string, served: ReadonlyMap<string, unknown>): string | undefined => {
  const named = parseAccept(accept).flatMap(({ value, params, q }) =>
    q && value.startsWith('application/vnd.') ? (params.version ?? /\.v(\d[\w.-]*)/.exec(value)?.[1] ?? []) : [],
  )
  return named.find((version) => served.has(version)) ?? named[0]
}
