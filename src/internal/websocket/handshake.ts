import { isToken } from '../header/field-name.ts'

/** The reason why a request is not a handshake of a WebSocket. */
export interface HandshakeFault {
  readonly status: 400 | 426
  readonly error: string
  readonly code: 'bad_handshake' | 'upgrade_required'
}

/** The only version of the protocol (RFC 6455 §4.1). */
const VERSION = '13'

/** 16 bytes in base64 (RFC 6455 §4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/

/** The request does not ask for a WebSocket, or asks for an unknown version. */
export const NOT_ASKED: HandshakeFault = { status: 426, error: 'Upgrade Required', code: 'upgrade_required' }

/** Fields of a refusal, which name what the server accepts (RFC 6455 §4.4). */
export const WANTED_FIELDS: readonly string[] = ['upgrade', 'websocket', 'sec-websocket-version', VERSION]

/** Headers of the response to a handshake that the application cannot set. */
export const OWN_FIELD: RegExp = /^(connection|upgrade|content-.*|transfer-encoding|keep-alive|sec-websocket-.*)$/

export const asksForSocket = (method: string | undefined, upgrade: string | null | undefined): boolean =>
  method === 'GET' && /^websocket$/i.test(upgrade ?? '')

/**
 * The mistake in a handshake (RFC 6455 §4.2.1).
 * @param read returns the value of a field by its name in lower case; several values of one name joined by commas
 */
export const handshakeFault = (read: (name: string) => string | null | undefined): HandshakeFault | undefined => {
  if (!/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(read('connection') ?? '')) return NOT_ASKED
  if (read('sec-websocket-version') !== VERSION) return NOT_ASKED
  const offered = read('sec-websocket-protocol')
  const bad = !KEY.test(read('sec-websocket-key') ?? '') ? 'Key' : isOffer(offered) ? undefined : 'Protocol'
  return bad && { status: 400, error: `Bad Sec-WebSocket-${bad}`, code: 'bad_handshake' }
}

/** Subprotocols are distinct tokens (RFC 6455 §4.1). */
const isOffer = (field: string | null | undefined): boolean => {
  if (field === undefined || field === null) return true
  const names = offeredIn(field)
  return names.every(isToken) && new Set(names).size === names.length
}

export const offeredIn = (field: string | null): string[] => (field ?? '').split(',').map((protocol) => protocol.trim())
