/** The script of the page. Its client knows the routes of the application from their type alone. */
import { createClient, events, unwrap } from 'sluice/client'
import type { app } from './app.ts'
import type { TodoAnswer } from './todo.ts'

const api = createClient<typeof app>()
const get = <Kind extends Element>(selector: string): Kind => document.querySelector<Kind>(selector)!
const list = get<HTMLUListElement>('#list')

const load = async (): Promise<void> => {
  const { todos } = await unwrap(api.get('/todos'))
  list.replaceChildren()
  todos.forEach(show)
}

const show = (todo: TodoAnswer): void => {
  const params = { id: todo.id }
  const item = document.querySelector(`#todo-${todo.id}`) ?? list.appendChild(document.createElement('li'))
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: todo.done })
  const remove = Object.assign(document.createElement('button'), { textContent: '×', title: 'Remove' })
  const title = Object.assign(document.createElement('span'), { textContent: todo.title })
  box.onchange = () => api.patch('/todos/:id', { params, json: { done: box.checked } })
  remove.onclick = () => api.delete('/todos/:id', { params })
  item.id = `todo-${todo.id}`
  item.className = todo.done ? 'done' : ''
  item.replaceChildren(box, title, remove)
}

get<HTMLFormElement>('#add').onsubmit = async (event) => {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  await unwrap(api.post('/todos', { json: { title: `${new FormData(form).get('title')}` } }))
  form.reset()
}

const follow = async (): Promise<void> => {
  for await (const change of events(api, '/events')) {
    // Changes were missed that nobody keeps any more
    if (change.event === 'gap') await load()
    else if (change.event === 'removed') document.querySelector(`#todo-${change.json().id}`)?.remove()
    else show(change.json())
  }
}

// Changes are followed first, so that none is missed while the list is read
await Promise.all([follow(), load()])
