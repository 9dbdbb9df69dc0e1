import { checkOption } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { redirect } from '../respond/redirect.ts'

/**
 * Redirect clients to one form of a path: `'trim'` removes trailing slashes, `'append'` adds one, except to files.
 *
 * Responds with 301 for GET and HEAD, and with 308, which keeps method and body, for other methods. Keeps the query,
 * and never leaves the origin, even if the path begins with several slashes.
 *
 * @throws {TypeError} when created, for another form.
 * @example
 * createApp().use(trailingSlash('trim'))
 */
export const trailingSlash = (form: 'append' | 'trim'): Middleware => {
  checkOption(form === 'append' || form === 'trim', 'trailingSlash: form', '"append" or "trim"', form)
  const spell = form === 'trim' ? withoutSlash : withSlash
  return function trailingSlash(ctx, next) {
    if (spell(ctx.path) === ctx.path) return next()
    // `ctx.path` may be rewritten: `apiVersion` removes the version from it. A client knows the path of the URL
    const { method, url } = ctx
    const canonical = spell(url.pathname)
    if (canonical === url.pathname) return next()
    // Two slashes would begin the name of another host (RFC 3986 §4.2); browsers treat a backslash as a slash
    const target = canonical.replace(/^[/\\]+/, '/')
    return redirect(target + url.search, method === 'GET' || method === 'HEAD' ? 301 : 308)
  }
}

const withoutSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, '') || '/'

/** A name with a dot is a file. */
const withSlash = (path: string): string =>
  path.endsWith('/') || path.slice(path.lastIndexOf('/')).includes('.') ? path : `${path}/`
