import { malformed } from './bad-form.ts'
import { decodeUtf8 } from './decode.ts'
import { parametersOf } from './parameters.ts'
import { tooLarge } from './too-large.ts'

export interface PartHeader {
  /** Name of the form's field. */
  readonly name: string
  /** File name that the client sent; `undefined` for a field that is not a file. */
  readonly filename: string | undefined
  /** Content type that the client sent, not checked against the content. */
  readonly type: string
}

/** The bytes between parts. @throws {Error} 400 unless a boundary has 1 to 70 printable characters (RFC 2046 §5.1.1) */
export const delimiterOf = (type: string): Uint8Array => {
  const boundary = parametersOf(type, 'multipart/form-data')?.boundary
  if (!boundary || boundary.length > 70 || /[^ -~]/.test(boundary)) throw malformed()
  return new TextEncoder().encode(`\r\n--${boundary}`)
}

/** Parse the header of a part (RFC 7578 §4.2). @throws {Error} 400 without a name, 413 with too many fields. */
export const parsePartHeader = (bytes: Uint8Array, maxPairs: number): PartHeader => {
  // A line that begins with white space continues the previous line (RFC 5322 §2.2.3)
  const lines = decodeUtf8(bytes)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n', maxPairs + 1)
  if (lines.length > maxPairs) throw tooLarge()
  const valueOf = (field: string): string | undefined =>
    lines
      .find((line) => line.toLowerCase().startsWith(field))
      ?.slice(field.length)
      .trim()
  const params = parametersOf(valueOf('content-disposition:') ?? '', 'form-data')
  if (params?.name === undefined) throw malformed()
  const filename = fileNameOf(params)
  return {
    name: unescape(params.name),
    filename,
    type: valueOf('content-type:') ?? (filename === undefined ? 'text/plain' : 'application/octet-stream'),
  }
}

/** `filename*` wins over `filename`, because it names its charset (RFC 8187 §3.2): `utf-8''na%C3%AFve.txt`. */
const fileNameOf = ({ filename, 'filename*': extended }: Readonly<Record<string, string>>): string | undefined => {
  try {
    const encoded = extended && /^utf-8'[^']*'(.*)/i.exec(extended)?.[1]
    if (encoded) return decodeURIComponent(encoded)
  } catch {
    // The bytes are not UTF-8: the other name counts
  }
  return filename === undefined ? extended : unescape(filename)
}

/** Browsers write quotes and line breaks in names as these three (WHATWG HTML §4.10.21.8). */
const unescape = (text: string): string => text.replace(/%(?:22|0D|0A)/gi, decodeURIComponent)
