import type { Send } from 'sluice/respond/sse'
import type { Todo } from './todo.ts'

/** All clients that show the list. */
const watchers = new Set<Send>()

/** Send every change to one client until it disconnects. */
export const watch = (send: Send): (() => void) => {
  watchers.add(send)
  return () => watchers.delete(send)
}

/** Send a change to all clients. */
export const announce = (event: 'added' | 'changed' | 'removed', todo: Todo): void => {
  for (const send of watchers) void send({ event, id: String(todo.id), data: todo })
}
