export type InputSource = 'body' | 'query' | 'params' | 'headers'

/** A middleware's description of the routes inside it: `describes` on the function. Requests do not need it. */
export interface Contract {
  readonly source?: InputSource
  /** Of `z`, or of any library with Standard Schema. */
  readonly schema?: unknown
  /** The only kind of body that it takes, if the schema is for one. */
  readonly type?: 'json' | 'form' | undefined
  /** Status for a request that does not match the schema. @default 422 */
  readonly status?: number
  /** True if the body of that response is created elsewhere, so that its format is not known. @default false */
  readonly ownErrorResponse?: boolean
  /** Statuses that it may send by itself: `[401]`. */
  readonly statuses?: readonly number[]
  /** Methods of requests that it does not ignore. @default all */
  readonly methods?: readonly string[]
  /** True if it ignores GET, HEAD and OPTIONS. @default false */
  readonly unsafe?: boolean
  /** Security schemes by name, as in OpenAPI: `{ bearerAuth: { type: 'http', scheme: 'bearer' } }`. */
  readonly security?: Readonly<Record<string, object>>
  /** Middleware that it runs, if it is a combination. */
  readonly parts?: readonly { readonly describes?: Contract | undefined }[]
  /** True if one of the {@link parts} is enough. @default false */
  readonly any?: boolean
  /** Paths of routes for which the {@link parts} do not run. @default none */
  readonly isExempt?: ((path: string) => boolean) | undefined
  /** Sets of security schemes, one of which is enough. @default the set `security` */
  readonly alternatives?: readonly Readonly<Record<string, object>>[]
  /** Parameters that it reads, as in OpenAPI: those in `query`, `header` and `cookie` count. */
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: object
  }[]
  /** True if the routes inside it are deprecated. @default false */
  readonly deprecated?: boolean
  /** True keeps the route out of the document. @default false */
  readonly hidden?: boolean
  /** The options of the document that it serves. */
  readonly document?: object
  /** The options of `describe`. */
  readonly operation?: unknown
}
