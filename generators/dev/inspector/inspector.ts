import { isOwnRequest } from '../local.ts'
import type { Failure, Visit } from '../trace.ts'
import { followBody, MAX_BODY } from './bodies.ts'
import { type Entry, outcomeOf, RequestLog } from './log.ts'
import type { InspectorOptions } from './options.ts'
import { REPEATS } from './repeat.ts'

/** Shows the last requests, the routes and the bindings of the application, below `/__sluice`. */
export interface Inspector {
  /** The response to a request for the inspector itself, if the client may see it. */
  readonly answer: (request: Request, address: string | undefined) => Promise<Response> | undefined
  readonly begin: (request: Request) => Entry | undefined
  /** Note the response. Send what it returns instead: the same response, whose body is followed to its end. */
  readonly end: (
    entry: Entry,
    request: Request,
    response: Response,
    visits: readonly Visit[],
    failure: Failure | undefined,
  ) => Response
}

/** Path of the inspector. All paths below it belong to the inspector. */
export const INSPECTOR_PATH = '/__sluice'

export const createInspector = (options: InspectorOptions): Inspector => {
  const { load, env = process.env } = options
  const log = new RequestLog()
  let parts: ReturnType<typeof loadParts> | undefined
  return {
    answer: (request, address) => {
      const { pathname } = new URL(request.url)
      if (pathname !== INSPECTOR_PATH && !pathname.startsWith(`${INSPECTOR_PATH}/`)) return undefined
      // `.env` may set it after this process has started.
      if (env.NODE_ENV !== 'development' || !mayLook(request, address)) return undefined
      parts ??= loadParts(load)
      return parts.then(({ inspect, ...modules }) => inspect({ ...options, ...modules, log, request }))
    },
    begin: (request) => {
      const repeats = Number(request.headers.get(REPEATS) ?? Number.NaN)
      return log.add(request, Number.isSafeInteger(repeats) ? repeats : undefined)
    },
    end: (entry, request, response, visits, failure) => {
      entry.outcome = outcomeOf(entry, response, visits, failure)
      void keepBody(entry, request)
      const followed = followBody(response)
      entry.answer = followed.answer
      return followed.response
    },
  }
}

/** True for a request that no page of another origin caused. Its host, and that no proxy passed it on, were checked. */
const mayLook = (request: Request, address: string | undefined): boolean =>
  address !== undefined && isOwnRequest(request)

/** Load what the pages need, when the inspector is first opened. */
const loadParts = async (load: InspectorOptions['load']) => {
  const { inspect } = await import('./pages.ts')
  const { html } = await load('sluice/html')
  const { explainRequest } = await load('sluice/pipe')
  return { inspect, html, explainRequest }
}

/** Keep the body of a request, if it is small. On Node, it can also be read after the handler has read it. */
const keepBody = async (entry: Entry, request: Request): Promise<void> => {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (!(length > 0 && length <= MAX_BODY)) return
  // The response may contain this stream, and must be able to read it first
  await new Promise(setImmediate)
  if (request.bodyUsed) return
  try {
    entry.body = new Uint8Array(await request.clone().arrayBuffer())
  } catch {
    // The client has disconnected, or the body was larger than the application allows.
  }
}
