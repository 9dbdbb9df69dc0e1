import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Thrown } from './thrown.ts'

/** The place in the project's own code where an error was created. */
export interface Frame {
  /** Path below the project. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Lines around it, with their numbers. */
  readonly source: readonly { readonly number: number; readonly text: string }[]
}

/**
 * Maximum number of frames, and of characters per line, that are read: a stack trace contains the message, which may be
 * untrusted.
 */
const MAX_FRAMES = 60
const MAX_LINE_LENGTH = 2000

/**
 * The first frame of an error's stack that is a source of the project. Only lines after the message are read, because a
 * message may contain text that looks like a frame.
 */
export const frameOf = ({ stack, message }: Pick<Thrown, 'stack' | 'message'>, root: string): Frame | undefined => {
  const begin = stack.indexOf(message)
  // The message was changed after the stack was created: its end in the stack is unknown.
  if (begin === -1) return undefined
  return framesIn(stack.slice(begin + message.length), root)
}

/** The first line of a text that is a frame of a source of the project. */
const framesIn = (text: string, root: string): Frame | undefined => {
  const lines = text.split('\n', MAX_FRAMES).filter((line) => line.length <= MAX_LINE_LENGTH && /^ {4}at /.test(line))
  for (const line of lines) {
    const frame = locate(line, root)
    if (frame !== undefined) return frame
  }
  return undefined
}

/**
 * A place at the beginning of a line, in the format of compilers: `/app/src/routes.ts:5:10: ERROR: …`, `file:///…:5`.
 */
const PLACE = /^((?:file:\/\/)?\/[^:]{1,1000}):(\d{1,9})(?::(\d{1,9}))?(?::|$)/

/** The first source of the project that a process named when it ended: what did not compile, else its stack. */
export const frameInOutput = (text: string, root: string): Frame | undefined => {
  for (const line of text.split('\n', MAX_FRAMES)) {
    const [, location = '', row = '', column = '1'] = PLACE.exec(line.slice(0, MAX_LINE_LENGTH)) ?? []
    const path = pathOf(location)
    const frame = path && readFrame(path, Number(row), Number(column), root)
    if (frame) return frame
  }
  return framesIn(text, root)
}

/** Line and column at the end of a frame. */
const POSITION = /:(\d{1,9}):(\d{1,9})$/

const locate = (line: string, root: string): Frame | undefined => {
  const inner = line.endsWith(')') ? line.slice(line.indexOf(' (') + 2, -1) : line.slice(7).replace(/^async /, '')
  const position = POSITION.exec(inner)
  const [, row = '', column = ''] = position ?? []
  const path = position && pathOf(inner.slice(0, position.index))
  return path ? readFrame(path, Number(row), Number(column), root) : undefined
}

const pathOf = (location: string): string | undefined => {
  if (location.startsWith('/')) return location
  if (!location.startsWith('file:///')) return undefined
  try {
    return fileURLToPath(location.replace(/[?#].*$/, ''))
  } catch {
    return undefined
  }
}

/** How many lines are shown before and after the one that failed. */
const MARGIN = 5

/** Extensions of sources, but not of data, keys or databases. */
const SOURCE = /\.[cm]?[jt]sx?$/

/** Maximum size of a source file, in bytes. */
const MAX_BYTES = 1_000_000

/**
 * Read the lines around a place, if the file, with links resolved, is a source inside the project, and not in a package
 * or a dot folder.
 */
const readFrame = (path: string, line: number, column: number, root: string): Frame | undefined => {
  try {
    const real = realpathSync(path)
    const file = relative(realpathSync(root), real)
    const steps = file.split(sep)
    if (!SOURCE.test(real) || steps.some((step) => step.startsWith('.') || step === 'node_modules')) return undefined
    const status = statSync(real)
    if (!status.isFile() || status.size > MAX_BYTES || join(realpathSync(root), file) !== real) return undefined
    const source = around(readFileSync(real, 'utf8').split('\n'), line)
    return source.length === 0 ? undefined : { file, line, column, source }
  } catch {
    return undefined
  }
}

const around = (texts: readonly string[], line: number): Frame['source'] => {
  const lines = texts.map((text, index) => ({ number: index + 1, text }))
  return line < 1 || line > lines.length ? [] : lines.slice(Math.max(0, line - 1 - MARGIN), line + MARGIN)
}
