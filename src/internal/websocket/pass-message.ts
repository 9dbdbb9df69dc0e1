import { type Awaitable, isPromise } from '../promise/awaitable.ts'
import { type AnyHandlers, BadMessage, type ServerSocket, type SocketLimits } from './socket-handlers.ts'

/** A socket that may have closed while its message was read. */
interface MessagePasser extends ServerSocket {
  readonly over: boolean
}

/** Pass a message to its handler as the schema reads it. An invalid one goes to `error`, or closes the socket. */
export const passMessage = (
  socket: MessagePasser,
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

// any: see passMessage
const refuseMessage = (socket: ServerSocket, handlers: AnyHandlers, cause: unknown): Awaitable<unknown> => {
  const failure = new BadMessage('The message is not valid', { cause })
  return handlers.error ? handlers.error(socket, failure) : socket.close(1007, 'Bad message')
}
