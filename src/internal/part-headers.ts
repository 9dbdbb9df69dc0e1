import { HttpError } from './http-error.ts'
import { parseParameterised } from './media-type.ts'

/** What the header of a part tells. */
export interface PartHeader {
  /** Name of the form's field. */
  readonly name: string
  /** Last segment of the file name that the client gave, without control characters; `undefined` on a field that is no file. */
  readonly filename: string | undefined
  /** Content type that the client gave, not checked against the content. */
  readonly type: string
}

/**
 * What stands between parts. The boundary is at most 70 printable characters (RFC 2046 §5.1.1).
 *
 * @throws {HttpError} 400 for a boundary that is none.
 */
export const delimiterOf = (boundary: string | undefined): Uint8Array => {
  if (!boundary || boundary.length > 70 || /[^ -~]/.test(boundary)) throw malformed()
  return new TextEncoder().encode(`\r\n--${boundary}`)
}

/**
 * Read the header of a part: who it is, and whether it is a file (RFC 7578 §4.2).
 *
 * @throws {HttpError} 400 without a name, 413 with more header fields than allowed.
 */
export const parsePartHeader = (header: string, maxPairs: number): PartHeader => {
  const lines = header.split('\r\n', maxPairs + 1)
  if (lines.length > maxPairs) throw new HttpError(413)
  const valueOf = (field: string): string | undefined =>
    lines.find((line) => line.toLowerCase().startsWith(field))?.slice(field.length)
  const disposition = parseParameterised(valueOf('content-disposition:') ?? '')
  const { name, filename } = disposition?.params ?? {}
  if (disposition?.value !== 'form-data' || name === undefined) throw malformed()
  return {
    name: unescape(name),
    filename: filename === undefined ? undefined : lastSegment(unescape(filename)),
    type: valueOf('content-type:')?.trim() ?? (filename === undefined ? 'text/plain' : 'application/octet-stream'),
  }
}

export const malformed = (): HttpError => new HttpError(400, 'Invalid form')

/** Browsers write quotes and line breaks in names as these three (WHATWG HTML §4.10.21.8). */
const unescape = (text: string): string =>
  text.replace(/%(?:22|0D|0A)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

/** A file name is no path, and none of the names that a file system reads as one. */
const lastSegment = (path: string): string => {
  const name = path
    .replace(/[\0-\x1f\x7f]/g, '')
    .split(/[/\\]/)
    .at(-1)!
  return name === '.' || name === '..' ? '' : name
}
