import { takeBody, withBody } from '#runtime/compress'
import { collect } from './collect.ts'
import { directivesOf } from './directives.ts'
import { describe, type Kept, saysLife } from './entries.ts'
import { type Defaults, lifeOf } from './policy.ts'

/** A response that can be sent, and its entry, if it may be stored. */
export interface Taken {
  readonly response: Response
  readonly entry?: Kept
}

/** How responses become entries. */
interface Taking {
  /** Whether it was made for one client: then it is kept only if it is `public`. */
  readonly personal: boolean
  readonly defaults: Defaults
  /** Largest body, in bytes. */
  readonly limit: number
  readonly now: number
  readonly tags: () => readonly string[]
}

/** Read the body of a response that may be stored. A body that is too large, and an event stream, is passed on. */
export const takeEntry = async (
  response: Response,
  header: (name: string) => string | null,
  { personal, defaults, limit, now, tags }: Taking,
): Promise<Taken> => {
  const answered = (name: string): string | null => response.headers.get(name)
  // A response to a cookie may be personal
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
