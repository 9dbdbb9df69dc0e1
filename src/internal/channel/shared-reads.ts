import type { Page } from './backend.ts'

/** Reads the stored messages after an id. */
export type ReadAfter = (after: string) => Promise<Page>

/**
 * Reads that several subscribers ask for at the same time are done once: when a process ends, thousands of its clients
 * come back with the same id. A subscriber that asks during a read gets the result of the next one, because the current
 * one may have begun before a message that the subscriber has not got.
 */
export const shareReads = (read: ReadAfter): ReadAfter => {
  const turns = new Map<string, { readonly now: Promise<Page>; next?: Promise<Page> }>()
  const begin = (after: string): Promise<Page> => {
    const turn = { now: read(after) }
    turns.set(after, turn)
    const end = (): void => {
      if (turns.get(after) === turn) turns.delete(after)
    }
    turn.now.then(end, end)
    return turn.now
  }
  return (after) => {
    const turn = turns.get(after)
    if (!turn) return begin(after)
    const again = (): Promise<Page> => begin(after)
    turn.next ??= turn.now.then(again, again)
    return turn.next
  }
}
