import { refusal } from '../error/refusal.ts'

/** The 400 for a body that does not match its type. */
export const badBody = (error: string, cause: unknown): Error => refusal(400, error, { cause })
