import type { BrokenOff, HasLength } from '../contract.ts'

/** Requests of our server have readers of their own; other requests were made by somebody else. */
export const hasLength: HasLength = () => false

export const brokenOff: BrokenOff = undefined
