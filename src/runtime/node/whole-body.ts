import type { BrokenOff, ReadWhole } from '../contract.ts'

/** Requests of our server have readers of their own; other requests were made by somebody else. */
export const readWhole: ReadWhole = () => false

export const brokenOff: BrokenOff = undefined
