import { createApp, html, json, text } from 'sluice'
import { bodyParser } from 'sluice/middleware/body-parser'
import { helmet } from 'sluice/middleware/helmet'
import { logger } from 'sluice/middleware/logger'
import { announce, watch } from './changes.ts'
import { DatabaseProvider } from './database-provider.ts'
import { page, script, style } from './page.ts'
import { newTodo, Todo, todoChange } from './todo.ts'

/** A small to-do application: a JSON API, a page, and a stream of changes. */
export const app = createApp({ methodNotAllowed: true }).use(logger()).use(helmet()).use(bodyParser())

app.register(DatabaseProvider)

app
  .get('/', () => html(page))
  .get('/style.css', () => text(style, 200, { 'content-type': 'text/css; charset=utf-8' }))
  .get('/app.js', () => text(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  .get('/events', (ctx) => ctx.sse(watch))

const missing = (): Response => json({ error: 'Todo not found' }, 404)

app
  .get('/todos', async () => json({ todos: await Todo.findMany({ orderBy: { id: 'asc' } }) }))
  .get('/todos/:id', async (ctx) => {
    const todo = await Todo.findById(ctx.params.id)
    return todo ? json({ todo }) : missing()
  })
  .post('/todos', async (ctx) => {
    const todo = await Todo.create(await ctx.validate(newTodo))
    announce('added', todo)
    return json({ todo }, 201, { location: `/todos/${todo.id}` })
  })
  .patch('/todos/:id', async (ctx) => {
    const todo = await Todo.findById(ctx.params.id)
    if (!todo) return missing()
    await todo.update(await ctx.validate(todoChange))
    announce('changed', todo)
    return json({ todo })
  })
  .delete('/todos/:id', async (ctx) => {
    const todo = await Todo.findById(ctx.params.id)
    if (!todo) return missing()
    await todo.delete()
    announce('removed', todo)
    return new Response(null, { status: 204 })
  })
