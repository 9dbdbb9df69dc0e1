import * as body from '../../internal/body/read-body.ts'
import type { Awaitable } from '../../internal/promise/awaitable.ts'
import type { Execution, HasLength, Replacing, ThrowBrokenOff } from '../contract.ts'
import * as ownForm from '../platform/own-form.ts'
import * as path from '../platform/path.ts'
import { NodeRequest } from './node-request.ts'

export { NodeRequest }

export const pathOf = (request: Request): string => (NodeRequest.owns(request) ? request.path : path.pathOf(request))

export const searchOf = (request: Request): string =>
  NodeRequest.owns(request) ? request.search : path.searchOf(request)

export const headerOf = (request: Request, name: string): string | null =>
  NodeRequest.owns(request) ? request.header(name) : request.headers.get(name)

export const rereadable = (request: Request): Request =>
  NodeRequest.owns(request) ? request : ownForm.rereadable(request)

export const limitBody = (request: Request, limit?: number): void =>
  NodeRequest.owns(request) ? request.limitBody(limit) : body.limitBody(request, limit)

export const textOf = <T = string>(request: Request, convert?: (text: string) => Awaitable<T>): Awaitable<T> =>
  NodeRequest.owns(request) ? request.textAs(convert) : body.textOf(request, convert)

export const bytesOf = (request: Request, limit?: number): Promise<Uint8Array<ArrayBuffer>> =>
  NodeRequest.owns(request) ? request.bytesWithin(limit) : body.bytesOf(request, limit)

export const peerOf = (request: Request & Replacing, _env?: unknown, execution?: Execution): string | undefined =>
  NodeRequest.owns(request) ? request.peer : (request['~peer'] ?? execution?.peer)

/** Requests of our server have their own readers, and nothing is known about other requests. */
export const hasLength: HasLength = () => false

export const brokenOff: ThrowBrokenOff = undefined
