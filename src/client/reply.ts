import type { OutputOf } from '../internal/types/any-schema.ts'
import type { ResponsesByStatus, TypedResponse } from '../internal/types/context.ts'
import type { Simplify } from '../internal/types/simplify.ts'

/** The JSON form of data: dates are strings; functions and members with `undefined` are missing. */
type JsonForm<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null
    ? T
    : T extends { toJSON(): infer Json }
      ? Json
      : T extends (...args: never) => unknown
        ? never
        : T extends readonly unknown[]
          ? { [Key in keyof T]: JsonForm<T[Key]> }
          : Members<T, MaybeKeys<T>>

/** The members that can be `undefined`, so JSON may lack them; members of an unknown type stay required. */
type MaybeKeys<T> = {
  [Key in keyof T]-?: unknown extends T[Key] ? never : undefined extends T[Key] ? Key : never
}[keyof T]

/** One mapped type if no member may be missing, which costs the compiler less. */
type Members<T, Maybe> = [Maybe] extends [never]
  ? { [Key in keyof T]: JsonForm<T[Key]> }
  : Simplify<
      { [Key in keyof T as Key extends Maybe ? never : Key]: JsonForm<T[Key]> } & {
        [Key in keyof T as Key extends Maybe ? Key : never]?: JsonForm<T[Key]>
      }
    >

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226

type Failure = 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504

/** A response whose status and JSON are known. */
export interface Reply<out Output, Status extends number> extends Omit<Response, 'status' | 'ok' | 'json'> {
  readonly status: Status
  /** True for statuses from 200 to 299. */
  readonly ok: number extends Status ? boolean : Status extends Success ? true : false
  json(): Promise<Output>
}

type HandlerReply<Out> =
  Out extends TypedResponse<infer Output, infer Status>
    ? unknown extends Output
      ? number extends Status
        ? never
        : Reply<unknown, Status>
      : Reply<JsonForm<Output>, Status>
    : never

/** The described responses by status. One without a schema, such as an event stream, has the type of the handler. */
type DescribedReply<D, Out> = {
  [Status in keyof D & number]: unknown extends OutputOf<SchemaOf<D[Status]>>
    ? HandlerReplyAt<Status, HandlerReply<Out>>
    : Reply<JsonForm<OutputOf<SchemaOf<D[Status]>>>, Status>
}[keyof D & number]

type UndescribedReply<D, Replies> = Replies extends { readonly status: infer Status }
  ? number extends Status
    ? [keyof D & number] extends [never]
      ? Replies
      : never
    : Status extends keyof D
      ? never
      : Replies
  : never

type SchemaOf<D> = D extends { readonly schema: infer S } ? S : D

type HandlerReplyAt<Status extends number, Replies> = [AtStatus<Status, Replies>] extends [never]
  ? Reply<unknown, Status>
  : AtStatus<Status, Replies>

/** The responses that may have a status: any, if the handler's status is only a number. */
type AtStatus<Status extends number, Replies> =
  Replies extends Reply<infer Output, infer Sent>
    ? number extends Sent
      ? Reply<Output, Status>
      : Extract<Replies, { readonly status: Status }>
    : never

/** The known responses and any other failure, or any response if none is known. */
type StatusOutside<Known extends { readonly status: number }, Out> = [Known] extends [never]
  ? Reply<unknown, number>
  : number extends Known['status']
    ? Known
    : Known['status'] extends Success
      ? Known | Reply<unknown, Failure>
      :
          | Known
          | Reply<unknown, Exclude<Failure, Known['status']>>
          | ([Extract<Known['status'], Success>] extends [never] ? UntypedReply<Out> : never)

type UntypedReply<Out> = Out extends unknown
  ? [HandlerReply<Out>] extends [never]
    ? Reply<unknown, Success>
    : never
  : never

export type ReplyOf<Adds, Out> =
  Adds extends ResponsesByStatus<infer D>
    ? unknown extends D
      ? StatusOutside<HandlerReply<Out>, Out>
      : StatusOutside<DescribedReply<D, Out> | UndescribedReply<D, HandlerReply<Out>>, Out>
    : StatusOutside<HandlerReply<Out>, Out>

export type Bodiless<Replies> = Replies extends { readonly status: infer Status extends number }
  ? Reply<undefined, Status>
  : never
