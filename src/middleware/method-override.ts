import type { Context, Middleware } from '../context.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { readForm } from '../read/form.ts'
import { refuse } from '../refuse.ts'
import { rewrite } from '../rewrite.ts'

/** Options of {@link methodOverride}: one of `form`, `header` and `query`, or several. */
export interface MethodOverrideOptions {
  /** Field of a form that names the method: `_method`. The body is read, and stays readable. @default none */
  readonly form?: string
  /** Field of the request that names it: `x-http-method-override`. Browsers of other origins ask before they send it. @default none */
  readonly header?: string
  /** Parameter of the query that names it. @default none */
  readonly query?: string
  /** Methods that may be named. @default ['PUT', 'PATCH', 'DELETE'] */
  readonly methods?: readonly string[]
}

/** What is written before the route is looked up again. */
interface Routed {
  method: string
  /** The path that was looked up: none, so that the new method is. */
  routed: string
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/**
 * Let a POST say that it means another method, since HTML forms know GET and POST alone. `ctx.method` is the new one,
 * and its route answers; `ctx.request.method` stays `POST`.
 *
 * Place it before middleware that looks at the method, and let `csrf` stand: a form can be sent from anywhere. A method
 * that may not be named is answered with 400.
 *
 * @throws {TypeError} when created, if nothing says where the method stands, or for GET and HEAD, which change nothing.
 * @example
 * app.use(methodOverride({ form: '_method' })).delete('/posts/:id', removePost)
 */
export const methodOverride = (options: MethodOverrideOptions): Middleware => {
  checkNames('methodOverride', options, 'form:string header:string query:string methods')
  const { form, header, query, methods = ['PUT', 'PATCH', 'DELETE'] } = options
  checkOption(form || header || query, 'methodOverride: form', 'the name of a field, or header, or query', form)
  checkOption(!header || isToken(header), 'methodOverride: header', 'a field name', header)
  const unsafe = (name: string): boolean => /^[A-Z]+$/.test(name) && !/^(GET|HEAD|OPTIONS|TRACE|CONNECT)$/.test(name)
  const fine = Array.isArray(methods) && methods.every(unsafe)
  checkOption(fine, 'methodOverride: methods', 'methods that change something, upper case', methods)

  const asked = async (ctx: Context): Promise<string | null | undefined> => {
    const named = (header && ctx.header(header)) || (query && ctx.query.get(query))
    if (named || !form || !FORM.test(ctx.header('content-type') ?? '')) return named
    const value = (await readForm(ctx)).get(form)
    return typeof value === 'string' ? value : undefined
  }

  return Object.assign<Middleware, { rewrites: unknown }>(
    async function methodOverride(ctx, next) {
      const named = ctx.method === 'POST' && (await asked(ctx))
      if (!named) return next()
      const method = named.toUpperCase()
      if (method === 'POST') return next()
      if (!methods.includes(method)) return refuse(ctx, 400, 'Unsupported method override', { supported: methods })
      Object.assign(ctx as unknown as Routed, { method, routed: '' })
      return next()
    },
    { rewrites: rewrite },
  )
}
