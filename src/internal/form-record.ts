import { recordOf } from './read-input.ts'
import { tooLarge } from './too-large.ts'

/** Limits of what a form holds. Beyond one the request is answered with 413. */
export interface FormCounts {
  /** Fields that are no files, also the pairs of an urlencoded form. @default 1000 */
  readonly fields?: number
  /** Files. @default 100 */
  readonly files?: number
  /** Size of one field of a multipart form that is no file, in bytes. @default 1048576 */
  readonly fieldSize?: number
  /** Size of one file, in bytes. @default the limit of the body */
  readonly fileSize?: number
  /** Header fields of one part. @default 20 */
  readonly headerPairs?: number
  /** Size of the header of one part, in bytes. @default 16384 */
  readonly headerSize?: number
}

type Field = string | File

/**
 * The pairs of a form as a record without a prototype: a name that repeats becomes a list, a file input that was left
 * empty makes no member, and the name of a file is its last segment, for it is no path.
 *
 * @throws {Error} 413 beyond a limit.
 */
export const formRecord = (
  pairs: Iterable<readonly [string, Field]>,
  limits: FormCounts,
): Record<string, Field | Field[]> => {
  let { fields = 1000, files = 100 } = limits
  const kept: [string, Field][] = []
  for (const [name, value] of pairs) {
    if (typeof value === 'string') {
      fields--
      if (sizeOf(value) > (limits.fieldSize ?? 1_048_576)) fields = -1
      kept.push([name, value])
    } else if (value.name || value.size) {
      files--
      kept.push([name, named(value)])
      if (value.size > (limits.fileSize ?? value.size)) files = -1
    }
    if (fields < 0 || files < 0) throw tooLarge()
  }
  return recordOf(kept)
}

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

const named = (file: File): File => {
  const name = file.name.split(/[/\\]/).at(-1)!
  return name === file.name ? file : new File([file], name, { type: file.type })
}
