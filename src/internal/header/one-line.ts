import { checkOption } from '../options/check.ts'

/** @throws {TypeError} for a string that would start another line, and for one with NUL. */
export const oneLine = (name: string, text: string): string => {
  checkOption(!/[\r\n\0]/.test(text), name, 'no line break', text)
  // An id of a database may be a number
  return `${text}`
}
