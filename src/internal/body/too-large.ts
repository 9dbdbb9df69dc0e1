import { refusal } from '../error/refusal.ts'

/** The 413 for content beyond a limit (RFC 9110 §15.5.14). */
export const tooLarge = (): Error => refusal(413, 'Content Too Large')
