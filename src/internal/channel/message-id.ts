/**
 * The id of a message is two whole numbers, `<epoch>-<number>`. The epoch is the time when the log of the topic began:
 * a log that was lost and begins again creates ids that are newer than all earlier ones.
 */

/** An id before every message. */
export const NOTHING = '0-0'

/** Two numbers of at most 16 digits: ids from clients are checked before they are used as numbers. */
const ID = /^(\d{1,16})-(\d{1,16})$/

export const isMessageId = (text: string): boolean => ID.test(text)

const partsOf = (id: string): readonly [number, number] => {
  const at = id.indexOf('-')
  return [Number(id.slice(0, at)), Number(id.slice(at + 1))]
}

/** Negative if the first id is older, positive if it is newer. */
export const compareIds = (a: string, b: string): number => {
  if (a === b) return 0
  const [epochA, numberA] = partsOf(a)
  const [epochB, numberB] = partsOf(b)
  return epochA - epochB || numberA - numberB
}

/** The id that directly follows another, for backends with consecutive numbers. */
export const nextId = (id: string): string => {
  const [epoch, number] = partsOf(id)
  return `${epoch}-${number + 1}`
}

/** True if no message is missing between the two, for backends with consecutive numbers. */
export const follows = (before: string, id: string): boolean =>
  id === nextId(before) || (before === NOTHING && id.endsWith('-1'))
