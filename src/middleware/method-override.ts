import type { Context, Middleware } from '../context.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { readForm } from '../read/form.ts'
import { refuse } from '../refuse.ts'
import { rewrite } from '../rewrite.ts'

/** Options of {@link methodOverride}: one of `form`, `header` and `query`, or several. */
export interface MethodOverrideOptions {
  /** Form field with the method: `_method`. The body is read, and stays readable. @default none */
  readonly form?: string
  /**
   * Header with the method: `x-http-method-override`. From other origins, browsers send it only after a preflight.
   * @default none
   */
  readonly header?: string
  /** Query parameter with the method. @default none */
  readonly query?: string
  /** Allowed methods. @default ['PUT', 'PATCH', 'DELETE'] */
  readonly methods?: readonly string[]
}

/** What is written before the route is looked up again. */
interface Routed {
  method: string
  /** The path that was looked up; cleared, so that the route is looked up again for the new method. */
  routed: string
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/**
 * Let a POST request stand for another method, because HTML forms support only GET and POST. `ctx.method` is the new
 * method, and its route runs; `ctx.request.method` stays `POST`.
 *
 * Place it before middleware that checks the method, and use `csrf`: a form can be sent from any site. A method that is
 * not allowed gives 400.
 *
 * @throws {TypeError} when created, if none of `form`, `header` and `query` is set, or if `methods` contains GET or
 * HEAD, which are safe methods.
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
      Object.assign(ctx, { method, routed: '' } satisfies Routed)
      return next()
    },
    { rewrites: rewrite },
  )
}
