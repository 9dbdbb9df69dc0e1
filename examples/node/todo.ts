import { Model } from 'sluice/database'
import { named } from 'sluice/openapi'
import * as z from 'sluice/z'

/** A row of the table `todos`. */
export class Todo extends Model {
  static tableName = 'todos'
  static timestamps = true
  static columns = { title: 'string', done: 'boolean' } as const

  id!: number
  title!: string
  done!: boolean
  createdAt!: Date
  updatedAt!: Date
}

/** What a client may send to create one. */
export const newTodo = z.object({ title: z.string().trim().min(1).max(200), done: z.boolean().default(false) })

/** The same for an update. */
export const todoChange = newTodo.partial()

/** A to-do as a client gets it. */
export const todoAnswer = named(
  'Todo',
  z.object({
    id: z.number().int(),
    title: z.string(),
    done: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
)

export type TodoAnswer = z.infer<typeof todoAnswer>

export const toAnswer = ({ id, title, done, createdAt, updatedAt }: Todo): TodoAnswer => ({
  id,
  title,
  done,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
