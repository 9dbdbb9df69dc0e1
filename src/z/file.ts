import { CheckedSchema } from '../internal/z/checked-schema.ts'
import { check, makeChecked } from '../internal/z/checks.ts'
import type { Check, CheckedDefinition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'

/** The schema that `file()` returns. */
export class FileSchema extends CheckedSchema<File> {
  /** Require at least so many bytes. */
  min(bytes: number, message?: Message): this {
    const text = `File must be at least ${bytes} bytes`
    return this.check(fileCheck('min', ({ size }) => size >= bytes, { minimum: bytes }, text, message, bytes))
  }

  /** Require at most so many bytes. */
  max(bytes: number, message?: Message): this {
    const text = `File must be at most ${bytes} bytes`
    return this.check(fileCheck('max', ({ size }) => size <= bytes, { maximum: bytes }, text, message, bytes))
  }

  /** Accept only these media types. The sender chooses the type; the bytes are not checked. */
  mime(types: string | readonly string[], message?: Message): this {
    const allowed = [types].flat()
    const text = `File must be of type ${allowed.join(', ')}`
    const holds = ({ type }: File): boolean => allowed.includes(type)
    return this.check(fileCheck('mime', holds, { types: allowed }, text, message, allowed))
  }
}

/** zod 3 has no files, so their issues are custom ones, with the limit in `params`. */
const fileCheck = (
  kind: string,
  holds: (file: File) => boolean,
  params: object,
  ...rest: [text: string, message: Message | undefined, value: unknown]
): Check => check(kind, holds, { code: 'custom', params }, ...rest)

/**
 * Accept `File` objects, as forms have them. Reports `invalid_type`, its checks `custom` with `params`.
 *
 * @example
 * file().max(1_000_000).mime('image/png').safeParse(new File(['x'], 'a.txt', { type: 'text/plain' })).success // false
 */
export const file = (params?: Params): FileSchema => {
  const guard = (value: unknown): boolean => value instanceof File
  return new FileSchema({ type: 'file', checks: [], params, guard } as CheckedDefinition, makeChecked)
}
