/**
 * Ids of messages are two whole numbers, `<epoch>-<number>`. The epoch is when the log of the topic began, so that a log
 * that was lost and begins anew gives ids that are still newer.
 */

/** The place before the first message of a topic that has none. */
export const NOTHING = '0-0'

/** Two numbers of at most 16 digits: what a client sends is checked before anybody computes with it. */
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

/** The id right behind another, where numbers have no holes. */
export const nextId = (id: string): string => {
  const [epoch, number] = partsOf(id)
  return `${epoch}-${number + 1}`
}

/** Whether no message was between the two, where numbers have no holes. */
export const follows = (before: string, id: string): boolean =>
  id === nextId(before) || (before === NOTHING && id.endsWith('-1'))
