import { headerOf, rereadable, searchOf, textOf } from '#runtime/request'
import { addFields, mutable } from '#runtime/response'
import { isResponse } from './compose.ts'
import type { Container } from './container.ts'
import type { AnySchema, Awaitable, Context, Execution, FieldList, OutputOf, ResponseEdit } from './context.ts'
import { after, isPromise } from './internal/awaitable.ts'
import { Bag } from './internal/bag.ts'
import { parseJson } from './internal/parse-json.ts'
import { validate } from './internal/validate.ts'
import type { Match } from './router.ts'

/** What all contexts of an application share. */
export interface Site {
  readonly basePath: string
  /** The application's container, on the createApp door. */
  readonly container?: Container
}

/** Makes contexts: {@link RequestContext}, or the class with response methods that `createApp` brings. */
export type ContextClass = new (
  request: Request,
  path: string,
  matched: Match<any>,
  site: Site,
  env: unknown,
  execution: Execution | undefined,
) => RequestContext

/** The class behind {@link Context}: what costs is made when asked for, and every method stands on the prototype. */
export class RequestContext implements Context {
  readonly site: Site
  readonly env: any // typed by Context; the platform decides
  readonly execution: Execution | undefined
  path: string
  /** What {@link finalize} has to run, newest last. */
  edits: (ResponseEdit | FieldList)[] | undefined = undefined
  /** What the router found, and for which path: a middleware may set another. */
  matched: Match<any>
  matchedPath: string
  #request: Request
  #params: Record<string, string> | undefined = undefined
  #editParams: ((params: Record<string, string>) => Record<string, string>) | undefined = undefined
  #state: Record<string, unknown> | undefined = undefined
  #response: Response | undefined = undefined
  #url: URL | undefined = undefined
  #search: URLSearchParams | undefined = undefined
  #query: URLSearchParams | undefined = undefined

  constructor(
    request: Request,
    path: string,
    matched: Match<any>,
    site: Site,
    env: unknown,
    execution: Execution | undefined,
  ) {
    this.#request = request
    this.path = path
    this.matched = matched
    this.matchedPath = path
    this.site = site
    this.env = env
    this.execution = execution
  }

  get request(): Request {
    return rereadable(this.#request)
  }

  /** For middleware that puts another request in its place, such as one with the plain body of a coded one. */
  set request(request: Request) {
    this.#request = request
  }

  get method(): string {
    return this.#request.method
  }

  get url(): URL {
    if (!this.#url) {
      this.#url = new URL(this.#request.url)
      // Whoever has read the query already goes on with the same object.
      if (this.#search) Object.defineProperty(this.#url, 'searchParams', { value: this.#search })
    }
    return this.#url
  }

  get query(): URLSearchParams {
    if (this.#query) return this.#query
    this.#search ??= this.#url?.searchParams ?? new URLSearchParams(searchOf(this.#request))
    return this.#search
  }

  set query(query: URLSearchParams) {
    this.#query = query
  }

  get params(): Record<string, string> {
    if (!this.#params) {
      const found = this.matched.params ?? new Bag()
      this.#params = this.#editParams ? this.#editParams(found) : found
    }
    return this.#params
  }

  set params(params: Record<string, string>) {
    this.#params = params
  }

  /** Change parameters whenever they are read from a path: once now, and again should the path be rewritten. */
  editParams(edit: (params: Record<string, string>) => Record<string, string>): void {
    const before = this.#editParams
    this.#editParams = before ? (params) => edit(before(params)) : edit
    if (this.#params) this.#params = edit(this.#params)
  }

  get state(): Record<string, unknown> {
    this.#state ??= new Bag()
    return this.#state
  }

  get response(): Response | undefined {
    return this.#response
  }

  set response(response: Response | undefined) {
    this.#response = response && mutable(response)
  }

  /** Take what the router found for the path that a middleware has set. */
  rematch(matched: Match<any>): void {
    this.matched = matched
    this.matchedPath = this.path
    this.#params = undefined
  }

  get basePath(): string {
    return this.site.basePath
  }

  header(name: string): string | null {
    return headerOf(this.#request, name)
  }

  json(): Promise<any> {
    return textOf(this.#request).then(parseJson)
  }

  text(): Promise<any> {
    return textOf(this.#request)
  }

  formData(): Promise<FormData> {
    return this.request.formData()
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.request.arrayBuffer()
  }

  blob(): Promise<Blob> {
    return this.request.blob()
  }

  validate<S extends AnySchema>(schema: S): Promise<OutputOf<S>> {
    return validate(schema, this.state.body, this)
  }

  onResponse(edit: ResponseEdit | FieldList): void {
    if (this.edits) this.edits.push(edit)
    else this.edits = [edit]
  }
}

/** What a failing edit is turned into; never throws. */
type Rescue = (error: unknown, ctx: RequestContext) => Awaitable<Response>

/** Run what `onResponse` registered, last first, each once; a failing edit is answered like any error, and the others still run. */
export const finalize = (ctx: RequestContext, response: Response, rescue: Rescue): Awaitable<Response> => {
  if (!ctx.edits?.length) return response
  const edit = ctx.edits.pop()!
  let current = response
  let edited: Awaitable<Response | void>
  try {
    current = mutable(response)
    edited = typeof edit === 'function' ? edit(current) : addFields(current, edit)
  } catch (error) {
    edited = rescue(error, ctx)
  }
  if (!isPromise(edited)) return finalize(ctx, isResponse(edited) ? edited : current, rescue)
  const go = (settled: Response | void): Awaitable<Response> =>
    finalize(ctx, isResponse(settled) ? settled : current, rescue)
  return edited.then(go, (error) => after(rescue(error, ctx), go))
}
