import { isHost } from '../../internal/client/host.ts'
import * as platform from '../platform/path.ts'
import { NO_PATH } from '../platform/target.ts'

/** Scheme and host of a URL. Bun leaves both out if the request has no valid Host. */
const ORIGIN = /^https?:\/\/([^/]*)\//

/** The last request whose path is known before it is asked for. A request is routed in the same turn. */
let known: Request | undefined
let knownPath = ''

/** Scheme and host that were valid last: most requests have the same. */
let lastOrigin = 'none'

/** Note the path of a request that Bun's own router has found. */
export const notePath = (request: Request, path: string): void => {
  known = request
  knownPath = path
}

/** The path; for a request that our server has checked, without reading the URL again. */
export const pathOf = (request: Request): string => {
  if (request !== known) return hasOrigin(request.url) ? platform.pathOf(request) : NO_PATH
  known = undefined
  return knownPath
}

/**
 * Check the URL of a request before it is routed. A request of HTTP/1.0 needs no Host: it gets the server's own origin.
 */
export const hasValidUrl = (request: Request, scheme: string, port: number | undefined): boolean => {
  const { url } = request
  if (!hasOrigin(url)) {
    if (url[0] !== '/' || request.headers.get('host') !== null) return false
    const ownOrigin = `${scheme}://localhost${port ? `:${port}` : ''}`
    Object.defineProperty(request, 'url', { value: new URL(ownOrigin + url).href })
  }
  if (request !== known) notePath(request, platform.pathOf(request))
  return true
}

const hasOrigin = (url: string): boolean => {
  if (url.startsWith(lastOrigin)) return true
  const [origin, host] = ORIGIN.exec(url) ?? []
  if (!origin || !isHost(host!)) return false
  lastOrigin = origin
  return true
}
