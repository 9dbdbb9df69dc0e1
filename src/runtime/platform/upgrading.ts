import { refusal } from '../../internal/error/refusal.ts'
import { closingOf } from '../../internal/stream/closing.ts'
import { OWN_FIELD } from '../../internal/websocket/handshake.ts'
import type { RawEvents } from '../../internal/websocket/raw-socket.ts'
import { upgradeRequired } from './ending.ts'

interface Handshake {
  /** The response of the handler, instead of which that of the runtime is sent. */
  readonly response: Response
  readonly accept: () => Response
  readonly events: Pick<RawEvents, 'closed'>
}

/** A request of our own server that may become a WebSocket. It is `over` when a response was sent. */
export type Upgrading = Request & { '~upgrade'?: { wanted?: Handshake; over?: boolean } }

/** Note that a handler looks at a handshake. A server that is not ours does not say which response is sent. */
export const beginUpgrade = (request: Upgrading, execution: unknown): void => {
  if (closingOf(execution)) request['~upgrade'] ??= {}
}

/**
 * Accept a handshake when the response of its handler is sent, because it cannot be taken back: if another response is
 * sent, Bun opens the socket, and Deno stops the whole server.
 * @returns the response of the handler @throws {Error} 426 if a response was sent already
 */
export const acceptLater = ({ '~upgrade': handshake }: Upgrading, accepted: Handshake): Response => {
  if (!handshake) return accepted.accept()
  if (handshake.over) throw notUpgraded()
  handshake.wanted?.events.closed(1006, '')
  handshake.wanted = accepted
  return Object.assign(accepted.response, { '~wanted': accepted })
}

/** The headers that the application has put on the response of a handler. */
export const addedFields = ({ headers }: Response): [string, string][] =>
  [...headers].filter(([name]) => !OWN_FIELD.test(name))

export const notUpgraded = (): Error => refusal(426, 'Upgrade Required', { headers: { upgrade: 'websocket' } })

/** The response to send instead of the one that the application returned. */
export const upgraded = (
  { '~upgrade': handshake }: Upgrading,
  response: Response & { readonly '~wanted'?: Handshake },
): Response => {
  const accept = handshake ? handshake.wanted : response['~wanted']
  if (handshake) handshake.over = true
  if (!accept) return response
  const isHandshake = accept.response === response
  try {
    // Without a handshake, the handler was given a copy of the request, which no runtime can accept
    if (isHandshake && handshake) return accept.accept()
  } catch {}
  accept.events.closed(1006, '')
  return isHandshake ? upgradeRequired() : response
}
