const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A number in the encoding of source maps: groups of five bits, with the sign in the lowest bit. */
const vlq = (value: number): string => {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>= 5
    text += DIGITS[rest ? digit | 32 : digit]
  } while (rest)
  return text
}

/**
 * A source map (ECMA-426) with one entry per line.
 *
 * @param lines for each generated line, the line of the source from 0, or undefined
 *
 * @example
 * sourceMap('schemas.ts', [undefined, 3, 3]).mappings // ';AAGA;AAAA'
 */
export const sourceMap = (source: string, lines: readonly (number | undefined)[]): SourceMap => {
  let before = 0
  const mappings = lines.map((line) => {
    if (line === undefined) return ''
    const segment = `AA${vlq(line - before)}A`
    before = line
    return segment
  })
  return { version: 3, sources: [source], names: [], mappings: mappings.join(';') }
}

export interface SourceMap {
  readonly version: 3
  readonly sources: readonly string[]
  readonly names: readonly string[]
  readonly mappings: string
}
