import type { RequestInput } from '../internal/types/context.ts'
import type { ParamsOf } from '../internal/types/params.ts'
import type { AnyRoute } from '../internal/types/route.ts'
import type { Bodiless, ReplyOf } from './reply.ts'

export type { Reply } from './reply.ts'

/** A value of a query or a form, written as text. `undefined` and `null` are left out; a list repeats the name. */
export type Scalar = string | number | boolean | bigint | Date | null | undefined

/** The values of a form: `multipart/form-data` with a file, else `application/x-www-form-urlencoded`. */
export type FormInput = FormData | Readonly<Record<string, Scalar | Blob | readonly (Scalar | Blob)[]>>

/** Header fields; `undefined` and `null` are left out. */
export type Fields = Readonly<Record<string, string | null | undefined>>

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

type ParamsPart<P extends string> = string extends P
  ? { readonly params?: Readonly<Record<string, string | number>> }
  : {} extends ParamsOf<P>
    ? [keyof ParamsOf<P>] extends [never]
      ? {}
      : { readonly params?: { readonly [Name in keyof ParamsOf<P>]: string | number } }
    : { readonly params: { readonly [Name in keyof ParamsOf<P>]: string | number } }

type QueryInput<Q> = { readonly [Key in keyof Q]: unknown extends Q[Key] ? Scalar | readonly Scalar[] : Q[Key] }

type QueryPart<In> = In extends { readonly query: infer Q }
  ? {} extends Q
    ? { readonly query?: QueryInput<Q> }
    : { readonly query: QueryInput<Q> }
  : { readonly query?: AnyQuery }

/** Repeats the types of {@link Scalar}, so that an error names them instead of the alias. */
interface AnyQuery {
  readonly [name: string]: string | number | boolean | bigint | Date | null | undefined | readonly Scalar[]
}

type BodyPart<M extends string, In> = In extends { readonly body: infer Body }
  ? { readonly json: Body; readonly form?: undefined } | { readonly form: FormOf<Body>; readonly json?: undefined }
  : M extends 'GET' | 'HEAD'
    ? {}
    : { readonly json?: unknown; readonly form?: FormInput }

/** A form with the fields of a body; each value may also be its form representation. */
type FormOf<Body> = FormData | { readonly [Key in keyof Body]: Body[Key] | Scalar | Blob | readonly (Scalar | Blob)[] }

type HeadersPart<In> = In extends { readonly headers: infer Named }
  ? { readonly headers: Named & Readonly<Record<string, unknown>> }
  : { readonly headers?: Fields }

type InitOf<M extends string, P extends string, In> = CallOptions &
  ParamsPart<P> &
  QueryPart<In> &
  HeadersPart<In> &
  BodyPart<M, In>

/** Input and responses of one route, computed only if it is called. */
export interface CallTypes<M extends string, P extends string, Adds, Out> {
  readonly init: InitOf<M, P, Adds extends RequestInput<infer In> ? In : unknown>
  readonly reply: 'HEAD' extends M ? Bodiless<ReplyOf<Adds, Out>> : ReplyOf<Adds, Out>
}

export type TableOf<R extends AnyRoute, M extends string> = RouteTable<{
  readonly [E in R as E['method'] extends M | '*' ? E['path'] : never]: CallTypes<M, E['path'], E['adds'], E['out']>
}>

/** The same table, whose list of keys the compiler keeps: it makes that of a type with `as` again for each call. */
type RouteTable<Table> = { readonly [Path in keyof Table]: Table[Path] }

declare const table: unique symbol

/** Types only: the routes that a client can call, by method and path. */
export interface RoutesByMethod<out T> {
  readonly [table]?: T
}

export type CallArguments<X> = X extends { readonly init: infer Init }
  ? {} extends Init
    ? [init?: Init]
    : [init: Init]
  : never

/**
 * The arguments if `P` is every path: the application has one route, or the path is wrong or still being typed. Then
 * the compiler would compute the input of every route, only to list the paths.
 */
type ArgumentsOfAll<T, P extends keyof T> = IsUnion<P> extends true ? readonly unknown[] : CallArguments<T[P]>

type IsUnion<P, All = P> = P extends unknown ? ([All] extends [P] ? false : true) : never

/** Calls a route. Inferring the table from `this` costs the compiler less than a parameter. */
export type Call<M extends string> = <T, const P extends keyof T & string>(
  this: RoutesByMethod<{ readonly [X in M]: T }>,
  path: P,
  ...init: keyof T extends P ? ArgumentsOfAll<T, P> : CallArguments<T[P]>
) => Promise<T[P] extends { readonly reply: infer X } ? X : never>

/**
 * A method for each HTTP method: the first argument is the path as it was registered, the second the input.
 *
 * @typeParam R the routes of the application
 */
export interface Client<R extends AnyRoute>
  extends RoutesByMethod<{
    readonly GET: TableOf<R, 'GET'>
    readonly HEAD: TableOf<R, 'GET' | 'HEAD'>
    readonly POST: TableOf<R, 'POST'>
    readonly PUT: TableOf<R, 'PUT'>
    readonly PATCH: TableOf<R, 'PATCH'>
    readonly DELETE: TableOf<R, 'DELETE'>
  }> {
  readonly get: Call<'GET'>
  readonly head: Call<'HEAD'>
  readonly post: Call<'POST'>
  readonly put: Call<'PUT'>
  readonly patch: Call<'PATCH'>
  readonly delete: Call<'DELETE'>
}
