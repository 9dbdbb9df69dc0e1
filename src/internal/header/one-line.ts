import { checkOption } from '../options/check.ts'

/** A string that must not start another line or another field. @throws {TypeError} if it would, or contains NUL. */
export const oneLine = (name: string, text: string): string => {
  checkOption(!/[\r\n\0]/.test(text), name, 'no line break', text)
  // An id of a database may be a number
  return `${text}`
}
