import { takeBody, withBody } from '#runtime/core'
import type { Awaitable } from '../promise/awaitable.ts'
import type { CacheEntry } from '../store/cache-store.ts'
import { directivesOf } from './directives.ts'
import { describe, hasExplicitLifetime } from './entries.ts'
import { type Defaults, lifeOf } from './policy.ts'

/** A response that can be sent, and its entry, if it may be stored. */
export interface StorableResponse {
  readonly response: Response
  readonly entry?: CacheEntry
}

/** How responses become entries. */
interface EntryOptions {
  /** Whether it was made for one client: then it is kept only if it is `public`. */
  readonly personal: () => boolean
  /** The `Vary` that the edits of outer middleware will add: the handler's response may depend on these headers. */
  readonly vary: string
  readonly defaults: Defaults
  /** Largest body, in bytes. */
  readonly limit: number
  readonly now: number
  readonly tags: () => Awaitable<readonly string[]>
}

/** Read the body of a response that may be stored. A body that is too large, and an event stream, is passed on. */
export const takeEntry = async (
  response: Response,
  header: (name: string) => string | null,
  { personal, vary, defaults, limit, now, tags }: EntryOptions,
): Promise<StorableResponse> => {
  const varies = `${vary},${response.headers.get('vary') ?? ''}`
  const responseField = (name: string): string | null => (name === 'vary' ? varies : response.headers.get(name))
  const foreign = (): boolean => personal() && !('public' in directivesOf(responseField('cache-control')))
  // A response to a cookie may be personal
  const open = header('cookie') === null || hasExplicitLifetime(responseField)
  const life = open && lifeOf(response.status, header, responseField, defaults, now)
  if (!life || foreign() || /^text\/event-stream/i.test(responseField('content-type') ?? '')) return { response }
  const described = describe(response, varies, life, now, await tags())
  const source = takeBody(response)
  const body = source ? await collectBody(source, limit) : new Uint8Array()
  const restored = source ? withBody(response, body) : response
  // A page that is rendered while it is read may have asked for a token in the meantime
  if (!(body instanceof Uint8Array) || body.byteLength > limit || foreign()) return { response: restored }
  return { response: restored, entry: { ...described, body } }
}

/**
 * Read a body whole, if it is within a limit.
 *
 * @returns the bytes, or the body as a stream with nothing lost if it is longer, or fails
 */
const collectBody = async (
  body: ReadableStream<Uint8Array> | Uint8Array,
  limit: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> => {
  if (body instanceof Uint8Array) return body
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= limit) {
    try {
      const { done, value } = await reader.read()
      if (done) return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())
      chunks.push(value)
      size += value.byteLength
    } catch {
      // The next read fails again
      break
    }
  }
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks.shift()
        if (chunk) return controller.enqueue(chunk)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
