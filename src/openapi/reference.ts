import { findPackage, readPackageFile } from '#runtime/package-file'
import { createResponse } from '#runtime/response'
import type { AnyContext, Awaitable, Context } from '../context.ts'
import { addRoute } from '../internal/openapi/add-route.ts'
import { prefixOf } from '../internal/openapi/prefix.ts'
import { pageOf, STYLE, scriptOf } from '../internal/openapi/reference-page.ts'
import { names, tagOf } from '../internal/openapi/tag.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { checkFixedPath } from '../internal/route/fixed-path.ts'
import { withoutSlashes } from '../internal/route/pattern.ts'
import type { HasPlan } from '../routes.ts'

/** Options of {@link apiReference}. */
export interface ApiReferenceOptions {
  /** Path of the page, without parameters. @default '/reference' */
  readonly path?: string
  /** Where the document is: a path of the same application, or a URL. @default '/openapi.json' */
  readonly url?: string
  /** Title of the page. @default 'API reference' */
  readonly title?: string
  /** Folder of the package `swagger-ui-dist`. @default where the runtime finds the package */
  readonly folder?: string
  /**
   * Where the files of `swagger-ui-dist` are already served, for runtimes without a file system. @default the
   * application serves them itself
   */
  readonly assetsUrl?: string
}

/** The files of `swagger-ui-dist` that are served. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/**
 * Serve a page that shows the document of an application and can send requests: Swagger UI, from the peer dependency
 * `swagger-ui-dist`. Returns a function that adds its routes to an application or a plan.
 *
 * Everything comes from the application itself. The page has no inline script and no inline style, so it works with the
 * default policy of `helmet()`. Colours follow the colour scheme of the reader's system.
 *
 * @throws {TypeError} when created, for a bad option. @throws {Error} when created, if `swagger-ui-dist` is not
 * installed.
 * @example
 * apiReference({ url: '/openapi.json' })(app) // the page is /reference
 */
export const apiReference = (options: ApiReferenceOptions = {}): (<To extends HasPlan>(to: To) => To) => {
  checkNames('apiReference', options, 'path:string url:string title:string folder:string assetsUrl:string')
  const { url = '/openapi.json', title = 'API reference', assetsUrl } = options
  const path = withoutSlashes(options.path ?? '/reference')
  checkFixedPath(path, 'apiReference: path', '/reference', options.path)
  checkOption(/^(\/(?!\/)|https?:\/\/)/.test(url), 'apiReference: url', 'a path or an http(s) URL', url)
  const folder = assetsUrl === undefined ? (options.folder ?? findPackage('swagger-ui-dist')) : ''
  if (folder === undefined)
    throw new Error('apiReference: swagger-ui-dist is not installed: npm install swagger-ui-dist, or set assetsUrl')

  const baseOf = (ctx: Context, file = ''): string => (prefixOf(ctx.path, path + file) ?? ctx.basePath) + path
  const page = addRoute(path, () => (ctx: AnyContext) => {
    const base = baseOf(ctx)
    return createResponse(pageOf(title, base, assetsUrl ?? base), 'text/html; charset=utf-8')
  })
  const script = addRoute(`${path}/reference.js`, () => (ctx: AnyContext) => {
    const prefix = baseOf(ctx, '/reference.js').slice(0, -path.length)
    const source = scriptOf(url.startsWith('/') ? prefix + url : url)
    return createResponse(source, 'text/javascript; charset=utf-8')
  })
  const style = addRoute(`${path}/reference.css`, () => () => createResponse(STYLE, 'text/css; charset=utf-8'))
  const assets = Object.entries(assetsUrl === undefined ? ASSETS : {}).map(([file, type]) =>
    addRoute(`${path}/${file}`, () => fileOf(folder, file, type)),
  )
  return (to) => [page, script, style, ...assets].reduce((added, add) => add(added), to)
}

/** A file of the package, read once, with a tag. */
const fileOf = (folder: string, file: string, type: string): ((ctx: AnyContext) => Awaitable<Response>) => {
  let read: Promise<readonly [Uint8Array<ArrayBuffer>, string]> | undefined
  return async (ctx) => {
    read ??= readPackageFile(folder, file).then(async (bytes) => [bytes, await tagOf(bytes)] as const)
    const [bytes, tag] = await read.catch((error) => {
      // The next request tries again
      read = undefined
      throw error
    })
    const headers = { etag: tag, 'cache-control': 'public, max-age=3600' }
    return names(ctx.header('if-none-match'), tag)
      ? createResponse(null, undefined, { status: 304, headers })
      : createResponse(bytes, type, { headers })
  }
}
