import { createApp, html, json, methodNotAllowed, text } from 'sluice'
import { bodyParser } from 'sluice/middleware/body-parser'
import { helmet } from 'sluice/middleware/helmet'
import { logger } from 'sluice/middleware/logger'
import { validateBody } from 'sluice/middleware/validator'
import { apiReference, checkResponses, describe, openapiRoute } from 'sluice/openapi'
import * as z from 'sluice/z'
import { announce, changesProvider, watch } from './changes.ts'
import { DatabaseProvider } from './database-provider.ts'
import { page, style } from './page.ts'
import { script } from './script.ts'
import { newTodo, Todo, todoAnswer, todoChange } from './todo.ts'

const missing = () => json({ error: 'Todo not found' }, 404)
const absent = { description: 'There is no such todo', schema: z.object({ error: z.string() }) }
const one = z.object({ todo: todoAnswer })
const hidden = describe({ hidden: true })

/** A small to-do application: a JSON API, a page, and a stream of changes. One chain, so that its type has the routes. */
export const app = createApp({ methodNotAllowed })
  .use(logger())
  .use(helmet())
  .use(bodyParser())
  .use(checkResponses())
  .register(DatabaseProvider)
  .register(changesProvider)
  .get('/', hidden, () => html(page))
  .get('/style.css', hidden, () => text(style, 200, { 'content-type': 'text/css; charset=utf-8' }))
  .get('/app.js', hidden, async () => text(await script(), 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  .get(
    '/events',
    describe({
      summary: 'Changes as they happen',
      responses: { 200: { description: 'Server-sent events', contentType: 'text/event-stream' } },
    }),
    (ctx) => ctx.sse(watch(ctx)),
  )
  .get(
    '/todos',
    describe({ summary: 'All todos', responses: { 200: z.object({ todos: z.array(todoAnswer) }) } }),
    async () => json({ todos: await Todo.findMany({ orderBy: { id: 'asc' } }) }),
  )
  .get('/todos/:id', describe({ summary: 'One todo', responses: { 200: one, 404: absent } }), async (ctx) => {
    const todo = await Todo.findById(ctx.params.id)
    return todo ? json({ todo }) : missing()
  })
  .post('/todos', describe({ summary: 'Make a todo', responses: { 201: one } }), validateBody(newTodo), async (ctx) => {
    const todo = await Todo.create(ctx.state.valid.body)
    announce('added', todo)
    return json({ todo }, 201, { location: `/todos/${todo.id}` })
  })
  .patch(
    '/todos/:id',
    describe({ summary: 'Change a todo', responses: { 200: one, 404: absent } }),
    validateBody(todoChange),
    async (ctx) => {
      const todo = await Todo.findById(ctx.params.id)
      if (!todo) return missing()
      await todo.update(ctx.state.valid.body)
      announce('changed', todo)
      return json({ todo })
    },
  )
  .delete('/todos/:id', describe({ summary: 'Remove a todo', responses: { 204: {}, 404: absent } }), async (ctx) => {
    const todo = await Todo.findById(ctx.params.id)
    if (!todo) return missing()
    await todo.delete()
    announce('removed', todo)
    return new Response(null, { status: 204 })
  })

openapiRoute('/openapi.json', { info: { title: 'Todos', version: '1.0.0' } })(app)
apiReference({ title: 'Todos' })(app)
