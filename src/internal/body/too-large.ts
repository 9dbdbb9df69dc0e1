import { refusal } from '../error/answer.ts'

/** What stands beyond a limit is answered with 413 (RFC 9110 §15.5.14). */
export const tooLarge = (): Error => refusal(413, 'Content Too Large')
