import { canParse } from './can-parse.ts'

/** A host with an optional port (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

export const isHost = (host: string): boolean => HOST.test(host) && canParse(`http://${host}`)
