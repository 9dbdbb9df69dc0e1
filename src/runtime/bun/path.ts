import { isHost } from '../../internal/client/host.ts'
import * as platform from '../platform/path.ts'
import { NO_PATH } from '../platform/target.ts'

/** Scheme and host of a URL. Bun leaves both out if the request has no valid Host. */
const ORIGIN = /^https?:\/\/([^/]*)\//

/** The last request whose URL was checked, and its path. A request is routed in the same turn. */
let checked: Request | undefined
let checkedPath = ''

/** Scheme and host that were valid last, with the slash behind them: most requests have the same. */
let lastOrigin = 'none'

export const pathOf = (request: Request): string => {
  if (request === checked) return checkedPath
  const { url } = request
  return hasOrigin(url) ? pathIn(url) : NO_PATH
}

/** Checked before routing. A request of HTTP/1.0 needs no Host: it gets the server's own origin. */
export const hasValidUrl = (request: Request, scheme: string, port: number | undefined): boolean => {
  const { url } = request
  if (!hasOrigin(url)) {
    if (url[0] !== '/' || request.headers.get('host') !== null) return false
    const origin = `${scheme}://localhost${port ? `:${port}` : ''}`
    Object.defineProperty(request, 'url', { value: new URL(origin + url).href })
    return hasValidUrl(request, scheme, port)
  }
  checked = request
  checkedPath = pathIn(url)
  return true
}

/** The path of a URL whose origin is the last valid one. */
const pathIn = (url: string): string => platform.pathIn(url, lastOrigin.length - 1)

const hasOrigin = (url: string): boolean => {
  if (url.startsWith(lastOrigin)) return true
  const [origin, host] = ORIGIN.exec(url) ?? []
  if (!origin || !isHost(host!)) return false
  lastOrigin = origin
  return true
}
