import { HIDDEN, isSecretName, withoutSecretParts } from '../secrets.ts'

/** A body of a request or a response. */
export interface Body {
  readonly type: string
  /** Undefined if it is too long, or cannot be read twice. */
  readonly bytes?: Uint8Array
}

/** Maximum size of a body that is kept, in bytes, and of its text that is shown, in characters. */
export const MOST_BODY = 65_536
const MOST_TEXT = 4000

/** Bodies of responses that are kept. Events have no end. */
const TEXT =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:javascript|x-www-form-urlencoded)\b)/i

/** The body of a response, if it is a short text. */
export const readBody = async (response: Response): Promise<Body | undefined> => {
  const { headers } = response
  const type = headers.get('content-type') ?? ''
  if (!TEXT.test(type) || headers.has('content-encoding')) return undefined
  if (Number(headers.get('content-length') ?? 0) > MOST_BODY) return { type }
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels this copy alone, so the client still gets the rest
  for await (const chunk of response.clone().body ?? []) {
    size += chunk.byteLength
    if (size > MOST_BODY) return { type }
    chunks.push(chunk)
  }
  return { type, bytes: new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()) }
}

/** A body as text, without the values of secrets. */
export const textOfBody = ({ type, bytes }: Body): string => {
  if (bytes === undefined) return '(too long)'
  if (!TEXT.test(type)) return `(${bytes.byteLength} bytes of ${type || 'no type'})`
  const text = new TextDecoder().decode(bytes)
  const shown = /\bx-www-form-urlencoded\b/i.test(type)
    ? [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${hidden(name, value)}`).join('\n')
    : (shownJson(text) ?? withoutSecretParts(text))
  return shown.length > MOST_TEXT ? `${shown.slice(0, MOST_TEXT)}…` : shown
}

const hidden = (name: string, value: unknown): unknown =>
  isSecretName(name) ? HIDDEN : typeof value === 'string' ? withoutSecretParts(value) : value

/** JSON with its indents, also in a text of another type; undefined for anything else. */
const shownJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text, hidden), null, 2)
  } catch {
    return undefined
  }
}
