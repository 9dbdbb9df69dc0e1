import { isHost } from '../../internal/client/host.ts'
import * as platform from '../platform/path.ts'

/** The path for a request whose host is invalid, where no server of ours refuses it: the router answers 400 or 404. */
const NO_PATH = '/%'

/** Scheme and host of a URL. Bun leaves both out if the request has no valid Host. */
const ORIGIN = /^https?:\/\/([^/]*)\//

let routed: Request | undefined
let routedPath = ''

/** Scheme and host that were valid last: most requests have the same. */
let lastOrigin = 'none'

/** Note the path of a request that Bun's own router has found, before it is asked for. */
export const notePath = (request: Request, path: string): void => {
  routed = request
  routedPath = path
}

/** The path; for a request that Bun's own router has found, without the URL. */
export const pathOf = (request: Request): string => {
  if (request !== routed) return hasOrigin(request.url) ? platform.pathOf(request) : NO_PATH
  routed = undefined
  return routedPath
}

/**
 * Check the URL of a request before it is routed. A request of HTTP/1.0 needs no Host: it gets the server's own origin.
 */
export const hasValidUrl = (request: Request, scheme: string, port: number | undefined): boolean => {
  const { url } = request
  if (hasOrigin(url)) return true
  if (url[0] !== '/' || request.headers.get('host') !== null) return false
  const ownOrigin = `${scheme}://localhost${port ? `:${port}` : ''}`
  Object.defineProperty(request, 'url', { value: new URL(ownOrigin + url).href })
  return true
}

const hasOrigin = (url: string): boolean => {
  if (url.startsWith(lastOrigin)) return true
  const [origin, host] = ORIGIN.exec(url) ?? []
  if (!origin || !isHost(host!)) return false
  lastOrigin = origin
  return true
}
