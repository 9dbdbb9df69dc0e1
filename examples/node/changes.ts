import type { Send } from 'sluice/respond/sse'
import type { Todo } from './todo.ts'

/** Everybody who is looking at the list. */
const watchers = new Set<Send>()

/** Tell one client of every change until it goes away. */
export const watch = (send: Send): (() => void) => {
  watchers.add(send)
  return () => watchers.delete(send)
}

/** Tell everybody what has changed. */
export const announce = (event: 'added' | 'changed' | 'removed', todo: Todo): void => {
  for (const send of watchers) void send({ event, id: String(todo.id), data: todo })
}
