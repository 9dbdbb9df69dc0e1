import { checkOption } from '../options/check.ts'

/** Maximum delay of a timer, in milliseconds; a longer one would fire at once. */
export const MAX_DELAY_MS: number = 2_147_483_647

/** @throws {TypeError} `timeout: ms: expected a whole number of milliseconds from 0 to 2147483647, got Infinity` */
export const checkDelay = (ms: number, name: string, min = 0): void =>
  checkOption(
    Number.isInteger(ms) && ms >= min && ms <= MAX_DELAY_MS,
    name,
    `a whole number of milliseconds from ${min} to ${MAX_DELAY_MS}`,
    ms,
  )
