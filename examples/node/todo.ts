import { Model, t } from 'sluice/database'
import { changesOf, inputOf, outputOf } from 'sluice/resource'
import type * as z from 'sluice/z'

/** A row of the table `todos`. */
export class Todo extends Model.define('todos', { title: t.string(200), done: t.boolean().default(false) }) {}

/** What a client may send to create one. */
export const newTodo = inputOf(Todo)

/** The same for an update. */
export const todoChange = changesOf(Todo)

/** A to-do as a client gets it. */
export const todoAnswer = outputOf(Todo)

export type TodoAnswer = z.infer<typeof todoAnswer>

/** The to-do as an answer has it: its times are text. */
export const toAnswer = (todo: Todo): TodoAnswer => ({
  ...todo,
  createdAt: todo.createdAt.toISOString(),
  updatedAt: todo.updatedAt.toISOString(),
})
