import { rereadable } from '#runtime/core'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import { markHandled } from '../internal/promise/awaitable.ts'
import type {
  AnyEnv,
  AnyState,
  Context,
  FieldList,
  Handler,
  Middleware,
  ResponseEdit,
  TypedResponse,
} from '../internal/types/context.ts'
import { BaseContext } from '../kernel/context.ts'
import { onResponse } from '../kernel/edits.ts'
import { waitUntil } from '../pipe/wait-until.ts'
import { readForm } from '../read/form.ts'
import { readJson } from '../read/json.ts'
import { readText } from '../read/text.ts'
import { type HtmlBody, html } from '../respond/html.ts'
import { json } from '../respond/json.ts'
import { redirect } from '../respond/redirect.ts'
import { text } from '../respond/text.ts'

/** The methods that the context of `sluice/tiny` adds to {@link Context}. */
export interface TinyMethods {
  /** Body parsed as JSON. @throws an error that becomes a 400 if it is not JSON. */
  json<T = unknown>(): Promise<T>
  /** A JSON response. */
  json<Data, Status extends number = 200>(
    data: Data,
    status?: Status | ResponseOptions<Status>,
    headers?: HeadersInput,
  ): TypedResponse<Data, Status>
  /** Body as text, UTF-8. */
  text(): Promise<string>
  /** A text response. */
  text(content: string, status?: number | ResponseOptions, headers?: HeadersInput): Response
  /** Body as form data. */
  formData(): Promise<FormData>
  /** Body as bytes. */
  arrayBuffer(): Promise<ArrayBuffer>
  /** Body as a blob. */
  blob(): Promise<Blob>
  /** Edit the response before it is sent: see `onResponse` of `sluice/pipe`. */
  onResponse(edit: ResponseEdit | FieldList): void
  /** Keep the process, or the worker, alive until a promise has settled: see `waitUntil` of `sluice/pipe`. */
  waitUntil(promise: Promise<unknown>): void
  /** An HTML response; markup of `sluice/html` may contain promises. */
  html(markup: string | HtmlBody, status?: number | ResponseOptions, headers?: HeadersInput): Response
  /** A redirect; @default 302 */
  redirect(url: string | URL, status?: number): Response
}

/** The context of `sluice/tiny`. */
export type TinyContext<Known = AnyState, Params = Record<string, string>, Env = AnyEnv> = Context<Known, Params, Env> &
  TinyMethods

/** A middleware that may use the methods of {@link TinyMethods}. */
export type TinyMiddleware<Adds = AnyState, Needs = {}> = Middleware<Adds, Needs, TinyMethods>

/** A handler that may use the methods of {@link TinyMethods}. */
export type TinyHandler<Known = AnyState, Params = Record<string, string>, Env = AnyEnv> = Handler<
  Known,
  Params,
  Env,
  TinyMethods
>

/** The class of {@link TinyContext}. Each method calls the function with its name. */
export class TinyRequestContext extends BaseContext {
  /** The request, whose body can be read any number of times. */
  override get request(): Request {
    return rereadable(this.raw)
  }

  override set request(request: Request) {
    this.raw = request
  }

  // Without arguments, `json` and `text` read the body

  json(...args: [] | Parameters<typeof json>): any {
    return args.length ? json(...(args as Parameters<typeof json>)) : readJson(this as Context)
  }

  text(...args: [] | Parameters<typeof text>): any {
    return args.length ? text(...(args as Parameters<typeof text>)) : readText(this as Context)
  }

  formData(): Promise<FormData> {
    return readForm(this as Context)
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return markHandled(this.request.arrayBuffer())
  }

  blob(): Promise<Blob> {
    return markHandled(this.request.blob())
  }

  onResponse(edit: ResponseEdit | FieldList): void {
    onResponse(this as Context, edit)
  }

  waitUntil(promise: Promise<unknown>): void {
    waitUntil(this as Context, promise)
  }

  html(...args: Parameters<typeof html>): Response {
    return html(...args)
  }

  redirect(...args: Parameters<typeof redirect>): Response {
    return redirect(...args)
  }
}
