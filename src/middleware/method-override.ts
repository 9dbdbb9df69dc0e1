import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Awaitable, Context, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { refuse } from '../pipe/refuse.ts'
import { readForm } from '../read/form.ts'

/** Options of {@link methodOverride}: one of `form`, `header` and `query`, or several. */
export interface MethodOverrideOptions {
  /** Form field with the method: `_method`. The body is read, and stays readable. @default none */
  readonly form?: string
  /** Header with the method: `x-http-method-override`. From other origins, it needs a preflight. @default none */
  readonly header?: string
  /** Query parameter with the method. @default none */
  readonly query?: string
  /** Allowed methods. @default ['PUT', 'PATCH', 'DELETE'] */
  readonly methods?: readonly string[]
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/**
 * Treat a POST request as another method, because HTML forms support only GET and POST. `ctx.method` is the new method,
 * whose route runs; `ctx.request.method` stays `POST`. A method that is not allowed is a 400.
 *
 * Place it before middleware that checks the method, and use `csrf`: a form can be sent from any site.
 *
 * @throws {TypeError} when created, without `form`, `header` and `query`, or if `methods` contains a safe method.
 * @example
 * app.use(methodOverride({ form: '_method' })).delete('/posts/:id', removePost)
 */
export const methodOverride = (options: MethodOverrideOptions): Middleware => {
  checkNames('methodOverride', options, 'form:string header:string query:string methods')
  const { form, header, query, methods = ['PUT', 'PATCH', 'DELETE'] } = options
  checkOption(form || header || query, 'methodOverride: form', 'the name of a field, or header, or query', form)
  checkOption(!header || isToken(header), 'methodOverride: header', 'a field name', header)
  const isUnsafe = (name: string): boolean => /^(?!(GET|HEAD|OPTIONS|TRACE|CONNECT)$)[A-Z]+$/.test(name)
  const isValid = Array.isArray(methods) && methods.every(isUnsafe)
  checkOption(isValid, 'methodOverride: methods', 'methods that change something, upper case', methods)

  const readOverride = async (ctx: Context): Promise<string | null | undefined> => {
    const override = (header && ctx.header(header)) || (query && ctx.query.get(query))
    if (override || !form || !FORM.test(ctx.header('content-type') ?? '')) return override
    const value = (await readForm(ctx)).get(form)
    return typeof value === 'string' ? value : undefined
  }

  // The chain responds to what `prepare` could not read or allow, so that logs and headers include it
  const refusals = new WeakMap<object, () => Awaitable<Response>>()
  const middleware: Middleware = function methodOverride(ctx, next) {
    return (refusals.get(ctx) ?? next)()
  }
  const prepare = async (ctx: Context): Promise<void> => {
    if (ctx.method !== 'POST') return
    try {
      const method = (await readOverride(ctx))?.toUpperCase()
      if (!method || method === 'POST') return
      if (methods.includes(method)) internalsOf(ctx).method = method
      else refusals.set(ctx, () => refuse(ctx, 400, 'Unsupported method override', { supported: methods }))
    } catch (error) {
      refusals.set(ctx, () => Promise.reject(error))
    }
  }
  return Object.assign(middleware, { prepare })
}
