import { takeBody, withBody } from '#runtime/compress'
import { collect } from './collect.ts'
import { directivesOf } from './directives.ts'
import { describe, type Kept, saysLife } from './entries.ts'
import { type Defaults, lifeOf } from './policy.ts'

/** An answer that can be sent, and the entry that is to be kept of it, if it may be. */
export interface Taken {
  readonly response: Response
  readonly entry?: Kept
}

/** How answers become entries. */
interface Taking {
  /** Whether it was made for one client: then it is kept only if it is `public`. */
  readonly personal: boolean
  readonly defaults: Defaults
  /** Longest body, in bytes. */
  readonly limit: number
  readonly now: number
  readonly tags: () => readonly string[]
}

/** Read the body of an answer that may be kept. One that is too long, and a stream of events, goes on as it is. */
export const takeEntry = async (
  response: Response,
  header: (name: string) => string | null,
  { personal, defaults, limit, now, tags }: Taking,
): Promise<Taken> => {
  const answered = (name: string): string | null => response.headers.get(name)
  // What a cookie was sent for may be somebody's own
  const counting = header('cookie') === null || saysLife(answered) ? defaults : { ...defaults, maxAge: undefined }
  const life = lifeOf(response.status, header, answered, counting, now)
  if (
    !life ||
    (personal && !('public' in directivesOf(answered('cache-control')))) ||
    /^text\/event-stream/i.test(answered('content-type') ?? '')
  )
    return { response }
  const described = describe(response, life, now, tags())
  const taken = takeBody(response)
  const body = taken ? await collect(taken, limit) : new Uint8Array()
  const again = taken ? withBody(response, body) : response
  if (!(body instanceof Uint8Array) || body.byteLength > limit) return { response: again }
  return { response: again, entry: { ...described, body } }
}
