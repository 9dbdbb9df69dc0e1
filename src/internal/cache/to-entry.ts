import { takeBody, withBody } from '#runtime/core'
import type { BaseContext } from '../../kernel/context.ts'
import type { Awaitable } from '../promise/awaitable.ts'
import type { CacheEntry } from '../store/cache-store.ts'
import { hasExplicitLifetime } from './entries.ts'
import { type DefaultLifetimes, directivesOf, lifeOf } from './policy.ts'

/** How responses become entries. */
interface EntryOptions {
  readonly defaults: DefaultLifetimes
  /** Largest body, in bytes. */
  readonly limit: number
  readonly time: number
  readonly tags: () => Awaitable<readonly string[]>
}

/** Headers that belong to one connection or one client, or are created for each response. */
const NOT_STORED =
  /^(?:set-cookie2?|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|age)$/

/** The response to send, and its entry if it may be stored and is not too large: for that, its body is read. */
export const toEntry = async (
  ctx: BaseContext,
  response: Response,
  { defaults, limit, time, tags }: EntryOptions,
): Promise<readonly [response: Response, entry?: CacheEntry]> => {
  const { status, headers } = response
  const varies = `${pendingVary(ctx)},${headers.get('vary') ?? ''}`
  const header = (name: string): string | null => (name === 'vary' ? varies : headers.get(name))
  const isPersonal = (): boolean =>
    (ctx.isPrivate === true || ctx.session?.id() !== undefined) && !('public' in directivesOf(header('cache-control')))
  // A response to a cookie may be personal
  const mayStore = ctx.header('cookie') === null || hasExplicitLifetime(header)
  const life = mayStore && lifeOf(status, (name) => ctx.header(name), header, defaults, time)
  if (!life || isPersonal() || /^text\/event-stream/i.test(header('content-type') ?? '')) return [response]
  // `tags` may take a header away that only says the tags
  const entryTags = await tags()
  const fields = [...headers].filter(([name]) => !NOT_STORED.test(name))
  if (!headers.has('date')) fields.push(['date', new Date(time).toUTCString()])
  const vary = [...new Set(varies.toLowerCase().split(/[\s,]/))].filter(Boolean).sort()
  const entry = { status, fields, time, life, vary, tags: entryTags }
  const source = takeBody(response)
  const body = source ? await collectBody(source, limit) : new Uint8Array()
  const restored = source ? withBody(response, body) : response
  // A page that is rendered while it is read may have asked for a token in the meantime
  if (!(body instanceof Uint8Array) || body.byteLength > limit || isPersonal()) return [restored]
  return [restored, { ...entry, body }]
}

/**
 * The `Vary` of the lists that middleware in front of the cache has registered. They are added after the response was
 * stored, but the handler may depend on what they name: a language, a version.
 */
const pendingVary = ({ edits }: BaseContext): string => {
  const values: string[] = []
  for (let pending = edits; pending; pending = pending.older)
    if (typeof pending.edit !== 'function')
      values.push(...pending.edit.filter((_, index, list) => index % 2 && list[index - 1] === 'vary'))
  return values.join()
}

/** Read a whole body. If it is longer than the limit, or fails, the result is a stream of the whole body. */
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
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const chunk = chunks.shift()
    if (chunk) return controller.enqueue(chunk)
    const { done, value } = await reader.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
}
