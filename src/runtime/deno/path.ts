import { isHost } from '../../internal/client/host.ts'
import { cutQuery, isPlainPath, NO_PATH } from '../platform/target.ts'

/** A scheme of `Deno.serve` and the authority after it. `http+unix` has the socket's path in place of a host. */
const AUTHORITY = /^(https?|http\+\w+):\/\/(.*)$/i

/** The last request whose URL was checked, and its path. A request is routed in the same turn. */
let checked: Request | undefined
let checkedPath: string | undefined

/** Scheme and host that were valid last, and the Host header: most requests have the same. */
let lastOrigin = ''
let lastHost: string | null = null

/** Checked before routing: Deno joins `Host` and target as they are, so a host with a path would choose the route. */
export const hasValidUrl = (request: Request): boolean => {
  const { url } = request
  // On a Unix socket the origin would be opaque, and the host the path of the socket if the client names none
  if (url[4] === '+') {
    const host = request.headers.get('host') || 'localhost'
    if (!isHost(host)) return false
    const start = url.indexOf('/', url.indexOf(':') + 3)
    Object.defineProperty(request, 'url', { value: `http://${host}${start < 0 ? '/' : url.slice(start)}` })
  }
  checkedPath = readPath(request)
  checked = request
  return checkedPath !== undefined
}

/** The path, as `URL` would show it: Deno leaves dot segments and characters to escape as the client sent them. */
export const pathOf = (request: Request): string => (request === checked ? checkedPath : readPath(request)) ?? NO_PATH

const readPath = (request: Request): string | undefined => {
  const { url } = request
  const start = url.indexOf('/', url.indexOf(':') + 3)
  const origin = start < 0 ? url : url.slice(0, start)
  if (origin !== lastOrigin && !isOrigin(origin, request)) return undefined
  lastOrigin = origin
  const rest = start < 0 ? '/' : url.slice(start)
  // A target begins with a slash: without a second one, the first is not part of the host. Reading headers is slow
  if (rest.indexOf('/', 1) > 0 && !hasValidHost(request)) return undefined
  return isPlainPath(rest) ? cutQuery(rest) : new URL(url).pathname
}

const hasValidHost = ({ headers }: Request): boolean => {
  const host = headers.get('host')
  if (host === lastHost) return true
  if (host && !isHost(host)) return false
  lastHost = host
  return true
}

const isOrigin = (origin: string, { headers }: Request): boolean => {
  const [, scheme, host] = AUTHORITY.exec(origin) ?? []
  return host !== undefined && (isHost(host) || (/\+/.test(scheme!) && headers.get('host') === null))
}
