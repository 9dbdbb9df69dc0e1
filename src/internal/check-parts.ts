import { badForm } from './bad-form.ts'
import type { FormCounts } from './form-record.ts'
import { tooLarge } from './too-large.ts'

/** What the Content-Type says stands between parts, quoted or not. */
const BOUNDARY = /; *boundary="?([^\s;"]+)/i

/**
 * Look at the headers of all parts of a form that is read already, before the platform's own parser makes anything of them.
 *
 * The form has to begin with the boundary that was found here: what hides another one behind a parameter is cut into more parts than it has, never fewer.
 *
 * @throws {Error} 413 beyond a limit, 400 for a form that does not begin with its boundary.
 */
export const checkParts = (bytes: Uint8Array, type: string, limits: FormCounts): void => {
  const { headerPairs = 20, headerSize = 16_384 } = limits
  const [first, ...parts] = `\r\n${new TextDecoder('latin1').decode(bytes)}`.split(`\r\n--${BOUNDARY.exec(type)?.[1]}`)
  if (first) badForm(type)
  for (const part of parts) {
    // Two line breaks stand around the header; what follows the last boundary has none
    const header = part.slice(2, Math.max(2, part.indexOf('\r\n\r\n')))
    if (header.length > headerSize || (header && header.split('\r\n').length > headerPairs)) throw tooLarge()
  }
}
