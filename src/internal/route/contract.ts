/** A part of the request that is validated. */
export type Source = 'body' | 'query' | 'params' | 'headers'

/** What a middleware says about the routes behind it, as data: `describes` on the function. Nothing reads it at run time. */
export interface Contract {
  /** The part of the request that {@link schema} describes. */
  readonly source?: Source
  /** A schema of `z`, or of any library with Standard Schema. */
  readonly schema?: unknown
  /** Status for a request that does not fit the schema. @default 422 */
  readonly status?: number
  /** True if the body of that answer is made elsewhere, so that its form is not known. @default false */
  readonly ownAnswer?: boolean
  /** Statuses that it may answer with by itself: `[401]`. */
  readonly answers?: readonly number[]
  /** True if it leaves GET, HEAD and OPTIONS alone. @default false */
  readonly unsafe?: boolean
  /** Security schemes by name, as OpenAPI writes them: `{ bearerAuth: { type: 'http', scheme: 'bearer' } }`. */
  readonly security?: Readonly<Record<string, object>>
  /** Parameters that it reads, as OpenAPI writes them: those in `query`, `header` and `cookie` count. */
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: object
  }[]
  /** True if the routes behind it will go. @default false */
  readonly deprecated?: boolean
  /** True keeps the route out of the document. @default false */
  readonly hidden?: boolean
  /** What the document that it serves was given. */
  readonly document?: object
  /** What `describe` was given. */
  readonly operation?: unknown
}
