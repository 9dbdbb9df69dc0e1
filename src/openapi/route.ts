import { createResponse, digest } from '#runtime/core'
import { toHex } from '../internal/crypto/hex.ts'
import { addRoute } from '../internal/openapi/add-route.ts'
import { checkOpenApiOptions } from '../internal/openapi/check-options.ts'
import { prefixOf } from '../internal/openapi/prefix.ts'
import { withoutSlashes } from '../internal/route/pattern.ts'
import type { AnyContext } from '../internal/types/context.ts'
import type { HasPlan } from '../kernel/routes.ts'
import { type OpenApiOptions, openapi } from './document.ts'

/**
 * Serve the document of an application: returns a function that adds the route to an application or a plan.
 *
 * The document of an application has all its routes, including those that are added later. A plan never changes, so put
 * this step after the routes. The document is generated at the first request, and serialised once. It has an `ETag`,
 * and a client that has the current version gets 304. The route itself is not in it. Below a prefix, the paths include
 * the prefix.
 *
 * @param path a path without parameters
 * @throws {TypeError} when created, for a bad option.
 * @example
 * openapiRoute('/openapi.json', { info: { title: 'Shop', version: '1.0.0' } })(app)
 */
export const openapiRoute = (path: string, options: OpenApiOptions): (<To extends HasPlan>(to: To) => To) => {
  checkOpenApiOptions('openapiRoute', options)
  const handlerFor = (to: object) => {
    let cached: { readonly prefix: string; readonly answer: Promise<Json> } | undefined
    return function openapiDocument(ctx: AnyContext) {
      const prefix = prefixOf(ctx.path, withoutSlashes(path)) ?? ''
      if (cached?.prefix !== prefix) cached = { prefix, answer: toJson(to as HasPlan, prefix, options) }
      return cached.answer.then(({ body, tag }) => {
        const fields = { etag: tag, 'cache-control': 'no-cache' }
        if (hasTag(ctx.header('if-none-match'), tag))
          return createResponse(null, undefined, { status: 304, headers: fields })
        return createResponse(body, 'application/json', { headers: fields })
      })
    }
  }
  return addRoute(path, handlerFor, options)
}

interface Json {
  readonly body: Uint8Array<ArrayBuffer>
  readonly tag: string
}

const toJson = async (to: HasPlan, basePath: string, options: OpenApiOptions): Promise<Json> => {
  const { plan, settings } = 'plan' in to ? to : { plan: to, settings: undefined }
  const body = new TextEncoder().encode(
    JSON.stringify(openapi({ plan, basePath, ...(settings && { settings }) }, options)),
  )
  return { body, tag: await tagOf(body) }
}

/** An entity tag of a string: the beginning of its SHA-256 (RFC 9110 §8.8.3). */
const tagOf = async (content: Uint8Array<ArrayBuffer>): Promise<string> =>
  `"${toHex((await digest(content)).subarray(0, 16))}"`

/** Whether `If-None-Match` contains the tag, or `*` (RFC 9110 §13.1.2: weak comparison). */
const hasTag = (field: string | null, tag: string): boolean =>
  (field ?? '').split(',').some((entry) => /^\s*\*\s*$/.test(entry) || entry.trim().replace(/^W\//, '') === tag)
