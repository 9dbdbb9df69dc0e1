import { report } from '#runtime/core'
import { type Awaitable, isPromise, tryCall } from '../promise/awaitable.ts'
import { type AnyHandlers, BadMessage, type ServerSocket, type SocketLimits } from './socket-handlers.ts'

/** Call a handler, and report its error: nothing else depends on it. */
export const call = (work: () => Awaitable<unknown>): void => {
  tryCall(work, undefined, report)
}

/** Call the `error` handler. Without one, report errors that the client has not caused. */
export const tellError = ({ error: handle }: AnyHandlers, socket: ServerSocket, error: unknown): void => {
  if (handle) call(() => handle(socket, error))
  else if (!isOfClient(error)) report(error)
}

/** Clients cause broken frames and cut connections. */
const isOfClient = (error: unknown): boolean =>
  /^(WS_ERR|ECONN|EPIPE|ERR_STREAM)/.test((error as { code?: string } | undefined)?.code ?? '')

/** Pass a message to its handler as the schema reads it. An invalid one goes to `error`, or closes the socket. */
export const passMessage = (
  socket: ServerSocket & { readonly over: boolean },
  handlers: AnyHandlers,
  read: SocketLimits['read'],
  message: string | Uint8Array,
): Awaitable<unknown> => {
  const { message: handle } = handlers
  let parsed: Awaitable<unknown>
  try {
    parsed = read(message)
  } catch (error) {
    return refuseMessage(socket, handlers, error)
  }
  if (!isPromise(parsed)) return handle?.(socket, parsed)
  return parsed.then(
    (value) => (socket.over ? undefined : handle?.(socket, value)),
    (error) => refuseMessage(socket, handlers, error),
  )
}

const refuseMessage = (socket: ServerSocket, handlers: AnyHandlers, cause: unknown): Awaitable<unknown> => {
  const failure = new BadMessage('The message is not valid', { cause })
  return handlers.error ? handlers.error(socket, failure) : socket.close(1007, 'Bad message')
}
