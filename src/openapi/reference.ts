import { createResponse } from '#runtime/core'
import type { PlanSource } from '../app/routes.ts'
import { addRoute, prefixOf } from '../internal/openapi/add-route.ts'
import { OPERATIONS } from '../internal/openapi/reference-operations.ts'
import { SCHEMAS } from '../internal/openapi/reference-schemas.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { checkFixedPath } from '../internal/route/fixed-path.ts'
import { withoutSlashes } from '../internal/route/pattern.ts'
import type { AnyContext } from '../internal/types/context.ts'

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
 * Serve a page that shows the document of an application, and can send requests to this server and to those that the
 * document names. Returns a function that adds its routes to an application or a plan.
 *
 * The page loads nothing from elsewhere, and has no inline script or style: the default policy of `helmet()` allows it.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * apiReference({ url: '/openapi.json' })(app) // the page is /reference
 */
export const apiReference = (options: ApiReferenceOptions = {}): (<To extends PlanSource>(to: To) => To) => {
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

const pageOf = (title: string, base: string, url: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(base)}/reference.css">
<script type="module" src="${escapeHtml(base)}/reference.js"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<main data-url="${escapeHtml(url)}"></main>
</body>
</html>
`

/** Every pair of colours has a contrast of at least 4.5 (WCAG 1.4.3). */
const STYLE = `:root { color-scheme: light dark; --line: #c8ced6; --soft: #f3f5f7; --dim: #515a66; --blue: #0b57d0; --red: #b3261e }
@media (prefers-color-scheme: dark) { :root { --line: #3c444f; --soft: #1f242b; --dim: #a9b3c0; --blue: #8ab4f8; --red: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { max-width: 60rem; margin: auto; padding: 1rem }
h1, h2, h3, h4, p { margin: .75rem 0; overflow-wrap: anywhere }
h2 { margin-top: 2rem }
p { white-space: pre-line }
a { color: var(--blue) }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem }
details > :not(summary) { margin: .75rem }
summary { padding: .6rem .75rem; cursor: pointer; overflow-wrap: anywhere }
summary b { display: inline-block; min-width: 4.5rem; color: var(--blue); font: 600 .85rem ui-monospace, monospace }
summary code { margin-right: .75rem }
[data-method=delete] b { color: var(--red) }
[data-deprecated] summary code { text-decoration: line-through }
small { color: var(--dim); font-size: .85rem }
code, pre, textarea { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow: auto; max-height: 30rem; padding: .75rem; border-radius: .25rem; background: var(--soft) }
label { display: block; margin: .5rem 0 }
label > span { display: block }
input:not([type=checkbox]), textarea, select { width: 100%; padding: .4rem; font-size: 1rem; border: 1px solid var(--dim); border-radius: .25rem }
textarea { min-height: 10rem }
button { padding: .5rem 1.25rem; font: inherit; color: Canvas; background: var(--blue); border: 0; border-radius: .25rem; cursor: pointer }
[role=alert] { color: var(--red) }
`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
