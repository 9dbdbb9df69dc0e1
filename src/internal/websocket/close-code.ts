import { checkOption } from '../options/check.ts'
import { sizeOf } from './message-queue.ts'

/** Whether a close frame may carry a code (RFC 6455 §7.4, IANA registry): not 1004 to 1006, and not 1015. */
export const isSendable = (code: number): boolean =>
  Number.isInteger(code) && /^(100[0-37-9]|101[0-4]|[34]\d{3})$/.test(`${code}`)

/** @throws {TypeError} for a code or a reason that a close frame must not or cannot carry */
export const checkClose = (code: number, reason: string): void => {
  checkOption(isSendable(code), 'close: code', '1000 to 1014 except 1004 to 1006, or 3000 to 4999', code)
  const short = typeof reason === 'string' && sizeOf(reason, 123) <= 123
  checkOption(short, 'close: reason', 'a string of at most 123 bytes', reason)
}
