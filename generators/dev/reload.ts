import { pageHeaders } from './layout.ts'
import { isOwnRequest } from './local.ts'

/** URL of the script that reloads a page, and the URL that it requests. */
export const RELOAD_PATH = '/__sluice/reload.js'
const ASKED = '/__sluice/started'

/** Reloads pages when the application has restarted. */
export interface Reload {
  /** The response to requests for the script and from it; undefined for any other request. */
  readonly answer: (request: Request) => Response | Promise<Response> | undefined
  /** Respond to all waiting requests, because this process is about to exit. */
  readonly end: () => void
}

/** Maximum time that a request waits, in milliseconds, because proxies give up on longer ones. */
const MAX_WAIT_MS = 20_000

/** Maximum number of waiting requests: one per visible page. */
const MAX_WAITING = 50

/** @param started identifies this process */
export const createReload = (started: string): Reload => {
  const waiting = new Set<() => void>()
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, MAX_WAIT_MS)
      signal.addEventListener('abort', done)
      waiting.add(done)
    })
  let isEnding = false
  return {
    answer: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === RELOAD_PATH && request.method === 'GET') return respond(SCRIPT, 'text/javascript; charset=utf-8')
      if (pathname !== ASKED || request.method !== 'GET' || !isOwnRequest(request)) return undefined
      const isWaiting = searchParams.get('known') === started && !isEnding && waiting.size < MAX_WAITING
      if (!isWaiting) return respond(started, 'text/plain')
      return wait(request.signal).then(() => respond(started, 'text/plain'))
    },
    end: () => {
      isEnding = true
      for (const done of waiting) done()
    },
  }
}

const respond = (body: string, type: string): Response =>
  new Response(body, { headers: { ...pageHeaders(), 'content-type': type } })

/**
 * Requests the id of the current process, then waits for another one. A hidden page does not wait, because browsers
 * open only six connections to a host.
 */
const SCRIPT = `(async () => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const isSeen = () => document.hidden
    ? new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true })).then(isSeen)
    : undefined
  let known = ''
  for (;;) {
    await isSeen()
    try {
      const response = await fetch('${ASKED}?known=' + known, { cache: 'no-store' })
      const text = await response.text()
      if (known !== '' && text !== known) return location.reload()
      known = text
      await pause(20)
    } catch {
      await pause(100)
    }
  }
})()
`

/** Text after the end of a page is parsed as part of it (HTML 13.2.6.4.20), so it can be appended to the stream. */
const TAG = new TextEncoder().encode(`\n<script src="${RELOAD_PATH}" async></script>\n`)

/** Add the script to a page that a browser navigated to; undefined for any other response. */
export const addReload = (request: Request, response: Response): Response | undefined => {
  if (request.headers.get('sec-fetch-dest') !== 'document') return undefined
  const { headers, status, statusText } = response
  const isPage = /^text\/html *(?:;|$)/i.test(headers.get('content-type') ?? '')
  // Compressed, or a partial response
  if (!isPage || headers.has('content-encoding') || headers.has('content-range')) return undefined
  // Checked last, because a response of sluice creates its stream then.
  const { body } = response
  if (body === null) return undefined
  const added = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({ flush: (controller) => controller.enqueue(TAG) }),
  )
  const edited = new Response(added, { status, statusText, headers })
  edited.headers.delete('content-length')
  return edited
}
