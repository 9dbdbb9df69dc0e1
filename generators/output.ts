import { styleText } from 'node:util'

/** Where a command writes, and which colours it uses. */
export interface Output {
  /** Write a line of the result to standard output. */
  readonly line: (text?: string) => void
  /** Write bytes unchanged to standard output. */
  readonly write: (chunk: string | Uint8Array) => void
  /** Write a line about the progress to standard error. */
  readonly note: (text: string) => void
  /** Colours for standard output; they return the text itself when colours are unwanted. */
  readonly paint: Paint
}

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

/** Wrap a text in a colour. */
export type Paint = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>

/** The part of a stream that decides about colours. */
interface Terminal {
  readonly isTTY?: boolean
}

/** Colours are for terminals; `NO_COLOR` (no-color.org) and `FORCE_COLOR` decide otherwise. */
export const wantsColor = (env: Readonly<Record<string, string | undefined>>, stream: Terminal): boolean => {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0'
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** The colours of one stream. */
export const paintFor = (colored: boolean): Paint => {
  const wrap = (style: keyof Paint) => (text: string) =>
    colored ? styleText(style, text, { validateStream: false }) : text
  return Object.fromEntries(STYLES.map((style) => [style, wrap(style)])) as unknown as Paint
}

/** Standard output and error of this process. */
export const processOutput = (): Output => ({
  line: (text = '') => void process.stdout.write(`${text}\n`),
  write: (chunk) => void process.stdout.write(chunk),
  note: (text) => void process.stderr.write(`${text}\n`),
  paint: paintFor(wantsColor(process.env, process.stdout)),
})

/** Columns padded to their widest cell, two spaces apart, no trailing blanks. */
export const table = (rows: readonly (readonly string[])[]): string[] => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
