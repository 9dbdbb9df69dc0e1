import { HttpError } from './http-error.ts'
import { delimiterOf, MAX_HEADER, type MultipartLimits, malformed, parsePartHeader } from './part-headers.ts'

/**
 * Parse a whole `multipart/form-data` body (RFC 7578) into pairs. A file input that was left empty makes no pair.
 *
 * @throws {HttpError} 400 where it breaks the grammar, also where it ends too early; 413 beyond a limit.
 */
export const parseMultipart = (
  bytes: Uint8Array<ArrayBuffer>,
  boundary: string | undefined,
  limits: MultipartLimits,
): [string, string | File][] => {
  const { files = 100, fields = 1000, fileSize = Number.POSITIVE_INFINITY, headerPairs = 20 } = limits
  const delimiter = delimiterOf(boundary)
  // One character a byte, so that indexes are offsets and the platform's own search does the work.
  const text = `\r\n${new TextDecoder('latin1').decode(bytes)}`
  const slice = (start: number, end: number): Uint8Array<ArrayBuffer> => bytes.subarray(start - 2, end - 2)
  const decode = (start: number, end: number): string => new TextDecoder().decode(slice(start, end))
  const pairs: [string, string | File][] = []
  let fileCount = 0
  let end = text.indexOf(delimiter)
  for (;;) {
    const after = end + delimiter.length
    if (end < 0) throw malformed()
    if (text.startsWith('--', after)) return pairs
    const line = text.indexOf('\r\n', after)
    const header = text.indexOf('\r\n\r\n', line)
    if (line < 0 || header < 0 || text.slice(after, line).trim()) throw malformed()
    if (header - line > MAX_HEADER) throw new HttpError(413)
    const { name, filename, type } = parsePartHeader(decode(line + 2, header), headerPairs)
    const start = header + 4
    end = text.indexOf(delimiter, header + 2)
    if (end < 0) throw malformed()
    if (filename === undefined) pairs.push([name, decode(start, end)])
    else if (filename || end > start) {
      fileCount++
      pairs.push([name, new File([slice(start, end)], filename, { type })])
    }
    if (fileCount > files || pairs.length - fileCount > fields || (filename !== undefined && end - start > fileSize)) {
      throw new HttpError(413)
    }
  }
}
