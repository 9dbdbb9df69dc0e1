import { checkOpenApiOptions } from '../internal/openapi/check-options.ts'
import { type DocumentContext, operationOf } from '../internal/openapi/operation.ts'
import { createPaths, operationName } from '../internal/openapi/path.ts'
import type { ErrorFormats } from '../internal/openapi/responses.ts'
import { createSchemas } from '../internal/openapi/schemas.ts'
import { alternativesOf, createSecurity } from '../internal/openapi/security.ts'
import type { OpenApiDocument } from '../internal/openapi/types.ts'
import { checkOption } from '../internal/options/check.ts'
import { joinPaths } from '../internal/route/pattern.ts'
import type { Contract } from '../internal/types/context.ts'
import { middlewareOf } from '../kernel/compose.ts'
import { registeredRoutes } from '../kernel/look-up.ts'
import type { AnyPlan } from '../kernel/plan.ts'
import type { HasPlan } from '../kernel/routes.ts'

export type { OpenApiDocument } from '../internal/openapi/types.ts'

/** Options of {@link openapi}. Members of the document are as in OpenAPI 3.1. */
export interface OpenApiOptions {
  /** Title and version of the API, and other members of an Info Object. */
  readonly info: { readonly title: string; readonly version: string; readonly [member: string]: unknown }
  /** URLs of the API. @default none: where the document is */
  readonly servers?: readonly { readonly url: string; readonly [member: string]: unknown }[]
  /** Security requirements of operations that do not declare any. @default none */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /**
   * Security schemes by name, in addition to those of middleware. They override those with the same name. @default {}
   */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Tags in display order, with descriptions. @default none */
  readonly tags?: readonly { readonly name: string; readonly [member: string]: unknown }[]
  /**
   * Whether a schema that JSON Schema cannot express throws an error, or is written as one that accepts everything.
   * @default 'throw'
   */
  readonly unrepresentable?: 'throw' | 'any'
}

/** The methods that a route for every method represents. */
const EVERY = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that a path of a document can have (OpenAPI 3.1 §4.8.9). */
const METHODS = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)$/

/**
 * Describe an application, or a plan, as an OpenAPI 3.1 document.
 *
 * Reads what middleware, validators and `describe` say about each route. A route for every method is described for
 * those of GET, POST, PUT, PATCH and DELETE that have no other route; one for `/*` is left out unless it has
 * `describe`. Methods that OpenAPI does not support, such as PROPFIND, are left out. If two routes match the same
 * requests, the first is described, because it is the one that runs.
 *
 * @throws {TypeError} for a bad option, for an `operationId` that two operations have, for two schemas with the same
 * name, and for a schema that JSON Schema cannot express.
 * @example
 * openapi(app, { info: { title: 'Shop', version: '1.0.0' } })
 */
export const openapi = (app: HasPlan, options: OpenApiOptions): OpenApiDocument => {
  checkOpenApiOptions('openapi', options)
  const { info, servers, security, securitySchemes = {}, tags, unrepresentable = 'throw' } = options
  const whole = app && 'plan' in app ? app : { plan: app }
  const { plan, basePath = '', settings } = whole
  checkOption(Array.isArray(plan?.routes), 'openapi: app', 'an application or a plan', app)
  const ids = new Set<string>()
  const shared: DocumentContext = {
    schemas: createSchemas(unrepresentable),
    security: createSecurity(securitySchemes),
    formats: settings as ErrorFormats | undefined,
    idOf: (ownId, method, path) => {
      if (ownId !== undefined && ids.has(ownId)) throw new TypeError(`openapi: two operations have the id ${ownId}`)
      const base = ownId ?? operationName(method, path)
      let id = base
      for (let count = 2; ids.has(id); count++) id = `${base}${count}`
      ids.add(id)
      return id
    },
  }
  const toTemplate = createPaths()
  const paths: OpenApiDocument['paths'] = {}
  // Explicit ids first, so that a generated one never takes their place
  const described = routesOf(plan, basePath).map((route) => ({ ...route, template: toTemplate(route.path) }))
  const tasks = described.flatMap(({ method, ...route }) =>
    (method === '*' ? EVERY : [method]).map((name) => ({ ...route, method: name, all: method === '*' })),
  )
  const seenOperations = new Set<string>()
  const chosenTasks = [...tasks.filter(({ all }) => !all), ...tasks.filter(({ all }) => all)].filter(
    ({ method, template, contracts, all, path }) => {
      const key = `${method} ${template.path}`
      if (seenOperations.has(key) || !METHODS.test(method)) return false
      seenOperations.add(key)
      return !contracts.some(({ hidden }) => hidden) && (!all || !isFallback(path, contracts))
    },
  )
  for (const { template } of described)
    if (chosenTasks.some((task) => task.template === template)) paths[template.path] = {}
  const hasId = ({ contracts }: { contracts: readonly Contract[] }): boolean =>
    contracts.some(({ operation }) => (operation as { operationId?: string } | undefined)?.operationId !== undefined)
  for (const { method, template, contracts, where } of [
    ...chosenTasks.filter(hasId),
    ...chosenTasks.filter((task) => !hasId(task)),
  ]) {
    const name = method.toLowerCase()
    paths[template.path]![name] = operationOf(name, template, contracts, shared, where)
  }
  shared.schemas.finish()
  const { components: schemas } = shared.schemas
  const { schemes } = shared.security
  return {
    openapi: '3.1.1',
    info: { ...info },
    ...(servers && { servers: [...servers] }),
    paths,
    components: { schemas, ...(Object.keys(schemes).length && { securitySchemes: schemes }) },
    ...(security && { security: [...security] }),
    ...(tags && { tags: [...tags] }),
  }
}

/** Each route with its full pattern, and the descriptions of the middleware before it, outermost first. */
const routesOf = (plan: Pick<AnyPlan, 'uses' | 'routes'>, basePath: string) =>
  registeredRoutes(plan).map((route) => {
    const { method, path, handler, where } = route
    // Middleware that covers only some paths of a route is not described
    const covering = middlewareOf(plan.uses, route).filter((step) => !step.pattern)
    const contracts = [...covering.map((step) => step.describes), (handler as { describes?: Contract }).describes]
    const parts = contracts.filter((contract) => contract !== undefined).flatMap((contract) => partsOf(contract, path))
    return { method, path: joinPaths(basePath, path) || '/', contracts: parts, where }
  })

/** A route for everything below a path is a fallback for unmatched requests, unless it has a description. */
const isFallback = (path: string, contracts: readonly Contract[]): boolean =>
  path.endsWith('/*') && !contracts.some(({ operation }) => operation)

/** The contracts that apply to a route with this path, if one may be that of a combination. */
const partsOf = (contract: Contract, path: string): readonly Contract[] => {
  const { parts, any, isExempt } = contract
  if (!parts) return [contract]
  if (isExempt?.(path)) return []
  const each = parts.map(({ describes }) => (describes ? partsOf(describes, path) : []))
  if (!any) return each.flat()
  // If all refuse, the response is that of the last one
  const answers = each.at(-1)!.flatMap((last) => last.answers ?? [])
  return [{ answers, alternatives: each.flatMap(alternativesOf) }]
}
