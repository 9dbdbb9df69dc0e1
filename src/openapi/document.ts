import type { PlanSource } from '../app/routes.ts'
import { freeName } from '../internal/openapi/names.ts'
import { type DocumentContext, operationOf } from '../internal/openapi/operation.ts'
import { createPaths, operationName } from '../internal/openapi/path.ts'
import type { ErrorFormats } from '../internal/openapi/responses.ts'
import { createSchemas } from '../internal/openapi/schemas.ts'
import { alternativesOf } from '../internal/openapi/security.ts'
import type { OpenApiDocument } from '../internal/openapi/types.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { joinPaths } from '../internal/route/pattern.ts'
import type { Contract } from '../internal/types/context.ts'
import { middlewareOf } from '../kernel/compose.ts'
import { registeredRoutes } from '../kernel/look-up.ts'
import type { AnyPlan } from '../kernel/plan.ts'

export type { OpenApiDocument } from '../internal/openapi/types.ts'

/** Options of {@link openapi}. Members of the document are as in OpenAPI 3.1. */
export interface OpenApiOptions {
  /** Title and version of the API, and other members of an Info Object. */
  readonly info: { readonly title: string; readonly version: string; readonly [member: string]: unknown }
  /** URLs of the API. @default none: where the document is */
  readonly servers?: readonly { readonly url: string; readonly [member: string]: unknown }[]
  /** Security requirements of operations that do not declare any. @default none */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Security schemes by name; they replace those of middleware with the same name. @default {} */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Tags in display order, with descriptions. @default none */
  readonly tags?: readonly { readonly name: string; readonly [member: string]: unknown }[]
  /** Whether a schema that JSON Schema cannot express is an error, or accepts everything. @default 'throw' */
  readonly unrepresentable?: 'throw' | 'any'
}

/** A route for every method is described for these. */
const EVERY = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that a path of a document can have (OpenAPI 3.1 §4.8.9). */
const METHODS = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)$/

/**
 * Describe an application, or a plan, as an OpenAPI 3.1 document, from its middleware, validators and `describe`.
 *
 * A route for every method is described for those of GET, POST, PUT, PATCH and DELETE that have no other route; one for
 * `/*` is left out unless it has `describe`. Methods that OpenAPI does not have, such as PROPFIND, are left out. Of two
 * routes for the same requests, the first is described, because it is the one that runs.
 *
 * @throws {TypeError} for a bad option, for two operations with the same `operationId`, for two schemas with the same
 * name, and for a schema that JSON Schema cannot express.
 * @example
 * openapi(app, { info: { title: 'Shop', version: '1.0.0' } })
 */
export const openapi = (app: PlanSource, options: OpenApiOptions): OpenApiDocument => {
  checkOpenApiOptions('openapi', options)
  const { info, servers, security, securitySchemes = {}, tags, unrepresentable = 'throw' } = options
  const { plan, basePath = '', settings } = app && 'plan' in app ? app : { plan: app }
  checkOption(Array.isArray(plan?.routes), 'openapi: app', 'an application or a plan', app)
  const ids = new Set<string>()
  const context: DocumentContext = {
    schemas: createSchemas(unrepresentable),
    schemes: { all: { ...securitySchemes }, declared: securitySchemes },
    formats: settings as ErrorFormats | undefined,
    idOf: (givenId, method, path) => {
      if (givenId !== undefined && ids.has(givenId))
        throw new TypeError(`openapi: two operations have the id ${givenId}`)
      const id = freeName(givenId ?? operationName(method, path), (name) => ids.has(name))
      ids.add(id)
      return id
    },
  }
  const paths: OpenApiDocument['paths'] = {}
  const operations = operationsOf(plan, basePath)
  for (const { template } of [...operations].sort((a, b) => a.order - b.order)) paths[template.path] = {}
  // Explicit ids first, so that a generated one never takes their place
  for (const { method, template, contracts, where } of sortFirst(operations, ({ hasId }) => hasId)) {
    const name = method.toLowerCase()
    paths[template.path]![name] = operationOf(name, template, contracts, context, where)
  }
  const { schemas, schemes } = context
  schemas.finish()
  return {
    openapi: '3.1.1',
    info: { ...info },
    ...(servers && { servers: [...servers] }),
    paths,
    components: {
      schemas: schemas.components,
      ...(Object.keys(schemes.all).length && { securitySchemes: schemes.all }),
    },
    ...(security && { security: [...security] }),
    ...(tags && { tags: [...tags] }),
  }
}

/** @throws {TypeError} for a bad option of the function with this name. */
export const checkOpenApiOptions = (feature: string, options: OpenApiOptions): void => {
  const names = 'info:object servers:object security:object securitySchemes:object tags:object unrepresentable:string'
  checkNames(feature, options, names)
  const { info, unrepresentable = 'any' } = options
  for (const name of ['servers', 'security', 'tags'] as const)
    checkOption(Array.isArray(options[name] ?? []), `${feature}: ${name}`, 'a list', options[name])
  const isInfo = typeof info?.title === 'string' && typeof info.version === 'string'
  checkOption(isInfo, `${feature}: info`, 'a title and a version', info)
  checkOption(/^(throw|any)$/.test(unrepresentable), `${feature}: unrepresentable`, '"throw" or "any"', unrepresentable)
}

/** The operations of a document. Those of a route for every method come last, since other routes take precedence. */
const operationsOf = (plan: Pick<AnyPlan, 'uses' | 'routes'>, basePath: string) => {
  const toTemplate = createPaths()
  const all = registeredRoutes(plan).flatMap((route, order) => {
    const { path, handler, where } = route
    // Middleware that covers only some paths of a route is not described
    const steps = middlewareOf(plan.uses, route).filter((step) => !step.pattern)
    const contracts = [...steps, handler as { describes?: Contract }].flatMap(({ describes }) =>
      partsOf(describes, path),
    )
    const described = contracts.map(({ operation }) => operation as { operationId?: string } | undefined)
    const pattern = joinPaths(basePath, path) || '/'
    const isForAll = route.method === '*'
    // A route for everything below a path is a fallback for unmatched requests, unless it has a description
    const isFallback = isForAll && pattern.endsWith('/*') && !described.some(Boolean)
    const isHidden = isFallback || contracts.some(({ hidden }) => hidden)
    const hasId = described.some((operation) => operation?.operationId !== undefined)
    const operation = { template: toTemplate(pattern), contracts, where, order, isForAll, isHidden, hasId }
    return (isForAll ? EVERY : [route.method]).map((method) => ({ ...operation, method }))
  })
  const seen = new Set<string>()
  return sortFirst(all, ({ isForAll }) => !isForAll).filter(({ method, template, isHidden }) => {
    const key = `${method} ${template.path}`
    if (seen.has(key) || !METHODS.test(method)) return false
    seen.add(key)
    return !isHidden
  })
}

const sortFirst = <T>(list: readonly T[], isFirst: (item: T) => boolean): T[] =>
  [...list].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)))

/** The contracts that apply to a route with this path, if one may be that of a combination. */
const partsOf = (contract: Contract | undefined, path: string): readonly Contract[] => {
  const { parts, any, isExempt } = contract ?? {}
  if (!contract || !parts) return contract ? [contract] : []
  if (isExempt?.(path)) return []
  const each = parts.map(({ describes }) => partsOf(describes, path))
  if (!any) return each.flat()
  // If all refuse, the response is that of the last one
  const statuses = each.at(-1)!.flatMap((last) => last.statuses ?? [])
  return [{ statuses, alternatives: each.flatMap(alternativesOf) }]
}
