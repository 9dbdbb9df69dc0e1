import { createResponse } from '#runtime/core'
import { addRoute } from '../internal/openapi/add-route.ts'
import { prefixOf } from '../internal/openapi/prefix.ts'
import { OPERATIONS } from '../internal/openapi/reference-operations.ts'
import { pageOf, STYLE } from '../internal/openapi/reference-page.ts'
import { SCHEMAS } from '../internal/openapi/reference-schemas.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { checkFixedPath } from '../internal/route/fixed-path.ts'
import { withoutSlashes } from '../internal/route/pattern.ts'
import type { AnyContext } from '../internal/types/context.ts'
import type { HasPlan } from '../kernel/routes.ts'

/** Options of {@link apiReference}. */
export interface ApiReferenceOptions {
  /** Path of the page, without parameters. @default '/reference' */
  readonly path?: string
  /** Where the document is: a path of the same application, or a URL. @default '/openapi.json' */
  readonly url?: string
  /** Title of the page. @default 'API reference' */
  readonly title?: string
}

/**
 * Serve a page that shows the document of an application, in JSON, and can send requests: to this server first, then to
 * those that the document names. Returns a function that adds its routes to an application or a plan.
 *
 * The page is part of this package, and loads nothing else. It has no inline script and no inline style, so it works
 * with the default policy of `helmet()`. Colours follow the colour scheme of the reader's system.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * apiReference({ url: '/openapi.json' })(app) // the page is /reference
 */
export const apiReference = (options: ApiReferenceOptions = {}): (<To extends HasPlan>(to: To) => To) => {
  checkNames('apiReference', options, 'path:string url:string title:string')
  const { url = '/openapi.json', title = 'API reference' } = options
  const path = withoutSlashes(options.path ?? '/reference')
  checkFixedPath(path, 'apiReference: path', '/reference', options.path)
  checkOption(/^(\/(?!\/)|https?:\/\/)/.test(url), 'apiReference: url', 'a path or an http(s) URL', url)

  // Named, since `sluice routes` shows the names of handlers
  const referencePage = (ctx: AnyContext) => {
    const prefix = prefixOf(ctx.path, path) ?? ctx.basePath
    const isWhole = !url.startsWith('/') || (prefix && url.startsWith(`${prefix}/`))
    const html = pageOf(title, prefix + path, isWhole ? url : prefix + url)
    return createResponse(html, 'text/html; charset=utf-8')
  }
  const referenceScript = () => createResponse(SCHEMAS + OPERATIONS, 'text/javascript; charset=utf-8')
  const referenceStyle = () => createResponse(STYLE, 'text/css; charset=utf-8')
  const page = addRoute(path, () => referencePage)
  const script = addRoute(`${path}/reference.js`, () => referenceScript)
  const style = addRoute(`${path}/reference.css`, () => referenceStyle)
  return (to) => style(script(page(to)))
}
