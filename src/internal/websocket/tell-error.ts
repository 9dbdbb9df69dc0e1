import { report } from '#runtime/core'
import { type Awaitable, tryCall } from '../promise/awaitable.ts'
import type { AnyHandlers, ServerSocket } from './socket-handlers.ts'

/** Call a handler, and report its error: nothing else depends on it. */
export const call = (work: () => Awaitable<unknown>): void => {
  tryCall(work, undefined, report)
}

/** Call the `error` handler; without one, report errors that the client has not caused. */
export const tellError = ({ error: handle }: AnyHandlers, socket: ServerSocket, error: unknown): void => {
  if (handle) call(() => handle(socket, error))
  else if (!isClients(error)) report(error)
}

/** Clients cause broken frames and cut connections, so these are not logged. */
const isClients = (error: unknown): boolean =>
  /^(WS_ERR|ECONN|EPIPE|ERR_STREAM)/.test((error as { code?: string } | undefined)?.code ?? '')
