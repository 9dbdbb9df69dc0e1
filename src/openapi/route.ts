import { createResponse } from '#runtime/core'
import type { PlanSource } from '../app/routes.ts'
import { sha256Text } from '../internal/crypto/sha256.ts'
import { evaluate } from '../internal/header/conditional.ts'
import { addRoute, prefixOf } from '../internal/openapi/add-route.ts'
import { withoutSlashes } from '../internal/route/pattern.ts'
import type { AnyContext } from '../internal/types/context.ts'
import { checkOpenApiOptions, type OpenApiOptions, openapi } from './document.ts'

/**
 * Serve the document of an application: returns a function that adds the route to an application or a plan.
 *
 * The document has all routes but this one. A plan never changes, so put this step after its routes. The document is
 * made at the first request. It has an `ETag`, and a client that has the current version gets 304. Below a prefix, the
 * paths include the prefix.
 *
 * @param path a path without parameters
 * @throws {TypeError} when created, for a bad option.
 * @example
 * openapiRoute('/openapi.json', { info: { title: 'Shop', version: '1.0.0' } })(app)
 */
export const openapiRoute = (path: string, options: OpenApiOptions): (<To extends PlanSource>(to: To) => To) => {
  checkOpenApiOptions('openapiRoute', options)
  const handlerFor = (to: object) => {
    let cached: { readonly prefix: string; readonly json: ReturnType<typeof toJson> } | undefined
    return function openapiDocument(ctx: AnyContext) {
      const prefix = prefixOf(ctx.path, withoutSlashes(path)) ?? ''
      if (cached?.prefix !== prefix) cached = { prefix, json: toJson(to as PlanSource, prefix, options) }
      return cached.json.then(({ body, etag }) => {
        const headers = { etag, 'cache-control': 'no-cache' }
        return evaluate((name) => ctx.header(name), { etag }) === 304
          ? createResponse(null, undefined, { status: 304, headers })
          : createResponse(body, 'application/json', { headers })
      })
    }
  }
  return addRoute(path, handlerFor, options)
}

const toJson = async (to: PlanSource, basePath: string, options: OpenApiOptions) => {
  const { plan, settings } = 'plan' in to ? to : { plan: to, settings: undefined }
  const body = JSON.stringify(openapi({ plan, basePath, ...(settings && { settings }) }, options))
  return { body, etag: `"${(await sha256Text(body)).slice(0, 32)}"` }
}
