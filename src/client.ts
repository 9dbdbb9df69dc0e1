import { DEV } from '#mode'
import type { Client, Fields, FormInput, Scalar } from './client/types.ts'
import type { Awaitable } from './internal/types/context.ts'
import type { RoutesOf } from './internal/types/route.ts'

export { type EventOptions, events, type ReceivedEvent, type ReceivedFrom } from './client/events.ts'
export { type ClientSocket, type ReceivedMessage, SocketClosed, type SocketOptions, socket } from './client/socket.ts'
export type { CallOptions, Client, Fields, FormInput, Reply, Scalar } from './client/types.ts'
export { ClientError, type ClientIssue, unwrap } from './client/unwrap.ts'
export type { RoutesOf } from './internal/types/route.ts'

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Prepended to each path, including the `basePath` of the application: `https://api.example/v1`.
   * @default '' for the page's own; `http://localhost` if `fetch` is given
   */
  readonly baseUrl?: string
  /** Sends a request: `app.fetch` needs no socket. @default the global `fetch` */
  readonly fetch?: (request: Request) => Awaitable<Response>
  /** Headers of every request, or a function that returns them. Those of a call override them. @default none */
  readonly headers?: Fields | (() => Awaitable<Fields>)
  /** Whether a browser sends and accepts cookies. @default that of `fetch`: 'same-origin' */
  readonly credentials?: 'omit' | 'same-origin' | 'include'
}

interface Init {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Values
  readonly json?: unknown
  readonly form?: FormInput
  readonly headers?: Fields
  readonly signal?: AbortSignal
}

type Values = Readonly<Record<string, Scalar | Blob | readonly (Scalar | Blob)[]>>

/**
 * A client with the types of an application: paths, inputs, and responses by status. It imports only the type.
 *
 * Each call takes the path as it was registered. It resolves for every status: see `unwrap`. It rejects if `fetch`
 * rejects, and with a TypeError for a parameter that is missing, empty, `.` or `..`.
 *
 * @example
 * const api = createClient<typeof app>({ baseUrl: 'https://api.example' })
 * const response = await api.get('/users/:id', { params: { id: 1 } })
 * if (response.status === 200) console.log((await response.json()).name)
 */
export const createClient = <Application>({
  fetch: send,
  headers,
  credentials,
  baseUrl = send ? 'http://localhost' : '',
}: ClientOptions = {}): Client<RoutesOf<Application>> => {
  const urlOf = (path: string, { params = {}, query }: Init): string =>
    `${baseUrl.replace(/\/$/, '') + fillPath(path, params)}?${appendValues(new URLSearchParams(), query as Values)}`.replace(
      /\?$/,
      '',
    )
  // `~url` is for `sluice/client`, which sends no request
  const client: Record<string, unknown> = { '~url': urlOf }
  for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete'])
    client[method] = async (path: string, init: Init = {}): Promise<Response> => {
      const { json, form, signal } = init
      const text = JSON.stringify(json) as string | undefined
      const fields = new Headers((text && { 'content-type': 'application/json' }) as Record<string, string>)
      // In turn, because names are compared regardless of case, and a call may leave a header out
      for (const source of [typeof headers === 'function' ? await headers() : headers, init.headers])
        for (const name in source) isGiven(source[name]) ? fields.set(name, source[name]) : fields.delete(name)
      const request = new Request(urlOf(path, init), {
        headers: fields,
        credentials,
        body: text ?? (form && toBody(form)),
        method: method.toUpperCase(),
        // The platform treats a key with the value undefined as absent
        signal,
      } as ConstructorParameters<typeof Request>[1])
      // The signal once more: in Node 20 a request that is garbage no longer passes it on, even while `fetch` sends it
      return send ? send(request) : fetch(request, { signal } as RequestInit)
    }
  return client as never
}

/** A path with its parameters: `:name` is one segment, `*name` may contain slashes, `:name?` is optional. */
const fillPath = (path: string, params: Readonly<Record<string, string | number | undefined>>): string =>
  path
    .replace(/^\/?/, '/')
    .replace(/\/([:*])([\w-]+)?(?:\{[^/]+\})?(\?)?/g, (_, kind: string, name: string = kind, maybe?: string) => {
      if (maybe && params[name] === undefined) return ''
      const encoded = encodeURIComponent(params[name] ?? '')
      const filled = kind === '*' ? encoded.replace(/%2F/g, '/') : encoded
      // A URL parser removes such segments, so the request would go to another route
      if (/(^|\/)\.{0,2}(\/|$)/.test(filled))
        throw new TypeError(
          `${path}: ${name}: ${DEV ? 'expected a value without empty, "." or ".." segments, got ' : ''}"${filled}"`,
        )
      return `/${filled}`
    })

const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null

const appendValues = <Target extends URLSearchParams | FormData>(target: Target, values: Values): Target => {
  for (const name in values)
    for (const item of [values[name]].flat())
      if (isGiven(item)) target.append(name, ((item as Date).toJSON?.() ?? item) as string)
  return target
}

const toBody = (form: FormInput): FormData | URLSearchParams =>
  form instanceof FormData
    ? form
    : appendValues(
        Object.values(form)
          .flat()
          .some((value) => value instanceof Blob)
          ? new FormData()
          : new URLSearchParams(),
        form,
      )
