import { parseAccept } from '../internal/header/accept.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Context, Middleware } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link apiVersion}. */
export interface ApiVersionOptions {
  /** Where the version is read: a header, the path `/v<version>/…`, a query parameter, or Accept. @default 'header' */
  readonly strategy?: 'header' | 'path' | 'query' | 'accept'
  /** Name of the header. @default 'api-version' */
  readonly header?: string
  /** Name of the query parameter. @default 'version' */
  readonly queryParam?: string
  /** The supported versions: any tokens, `'2'` or `'2024-11-01'`. */
  readonly versions: readonly string[]
  /** Version of requests that name none. @default the first of `versions` */
  readonly default?: string
  /** Refuse requests that name no version with 400. @default false */
  readonly required?: boolean
}

/** The state that {@link apiVersion} adds. */
export interface ApiVersionState {
  apiVersion: string
}

/** Status for an unsupported version: bad request, not found, or not acceptable. */
const REFUSAL: Readonly<Record<string, number>> = { header: 400, query: 400, path: 404, accept: 406 }

/**
 * Determine which version of the API a request asks for, and send that version in the response.
 *
 * Writes `ctx.state.apiVersion`; by path also `ctx.state.originalPath`, and `ctx.path` without the version, so that
 * `/v2/users` reaches the route `/users`. Sends `API-Version`, and `Vary` if a header decides. An unsupported version
 * is a 400 (header, query), 404 (path) or 406 (accept).
 *
 * @throws {TypeError} when created, for a bad option: a version that is not a token, or a default that is
 * not one of the versions.
 * @example
 * createApp().use(apiVersion({ strategy: 'path', versions: ['1', '2'], default: '1' }))
 */
export const apiVersion = (options: ApiVersionOptions): Middleware<ApiVersionState> => {
  checkNames('apiVersion', options, 'strategy header queryParam:string versions default required:boolean')
  const { strategy = 'header', header = 'api-version', queryParam = 'version', versions, required } = options
  const check = (isValid: unknown, option: string, expected: string, got: unknown): void =>
    checkOption(isValid, `apiVersion: ${option}`, expected, got)
  const status = REFUSAL[strategy]!
  check(Object.hasOwn(REFUSAL, strategy), 'strategy', 'one of header, path, query, accept', strategy)
  check(isToken(header), 'header', 'a field name', header)
  check(queryParam, 'queryParam', 'a name', queryParam)
  const areTokens = Array.isArray(versions) && versions[0] && versions.every(isToken)
  check(areTokens, 'versions', 'a list of versions such as "2"', versions)
  const { default: fallback = versions[0]! } = options
  check(versions.includes(fallback), 'default', 'one of the versions', fallback)
  const vary = strategy === 'header' ? ['vary', header] : strategy === 'accept' ? ['vary', 'Accept'] : []
  const fields = new Map(versions.map((version) => [version, [...vary, 'api-version', version]]))
  const requestedVersions = new WeakMap<object, string | undefined>()
  const read = {
    header: (ctx: Context) => ctx.header(header),
    query: (ctx: Context) => ctx.query.get(queryParam),
    path: (ctx: Context) => requestedVersions.get(ctx),
    accept: (ctx: Context) => fromAccept(ctx.header('accept') ?? '', fields),
  }[strategy]

  const middleware: Middleware<ApiVersionState> = function apiVersion(ctx, next) {
    const requested = read(ctx)
    const version = requested || (required ? '' : fallback)
    addEdit(ctx, fields.get(version) ?? vary)
    if (!fields.has(version))
      return refuse(ctx, requested ? status : 400, 'Unsupported API version', { version, supported: versions })
    ctx.state.apiVersion = version
    return next()
  }
  const readPath = (ctx: Context): unknown => requestedVersions.set(ctx, fromPath(ctx, fields))
  const name = strategy === 'query' ? queryParam : header
  const parameters = [{ name, in: strategy, required: !!required, schema: { enum: versions } }]
  return Object.assign(middleware, {
    prepare: strategy === 'path' ? readPath : undefined,
    describes: { statuses: required && status !== 400 ? [status, 400] : [status], parameters },
  })
}

/** Remove the version from the path and return it: a supported one, or one with a digit first, unlike `/videos`. */
const fromPath = (ctx: Context, served: ReadonlyMap<string, unknown>): string | undefined => {
  const { basePath, path } = ctx
  const [, version, rest] = /^\/v([^/]+)(.*)/.exec(path.slice(basePath.length)) ?? []
  if (!path.startsWith(basePath) || !version || !(served.has(version) || /^\d/.test(version))) return undefined
  ctx.state.originalPath = path
  ctx.path = basePath + rest || '/'
  return version
}

/** The preferred version of `application/vnd.api+json;version=2` or `application/vnd.shop.v2+json`. */
const fromAccept = (accept: string, served: ReadonlyMap<string, unknown>): string | undefined => {
  const versions = parseAccept(accept).flatMap(({ value, params, q }) =>
    q && value.startsWith('application/vnd.') ? (params.version ?? /\.v(\d[\w.-]*)/.exec(value)?.[1] ?? []) : [],
  )
  return versions.find((version) => served.has(version)) ?? versions[0]
}
