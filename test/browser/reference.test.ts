import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { validateBody, validateParams, validateQuery } from '../../src/middleware/validator.ts'
import { apiReference } from '../../src/openapi/reference.ts'
import { describe as describeRoute, named, openapiRoute } from '../../src/openapi.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'
import { runCommand } from '../generators/run-command.ts'
import { importApp, linkPackages, temporaryFolder } from '../generators/sandbox.ts'
import { describeBrowser, type Served } from './browser.ts'
import { faintTexts, overflows, SCREENS, type Screen, shoot, type Watched, watchOn } from './screens.ts'

const Todo = named(
  'Todo',
  z.object({ id: z.number().int(), title: z.string().min(1).max(200), done: z.boolean().default(false) }),
)
const id = validateParams(z.object({ id: z.coerce.number().int().positive() }))

/** A shop window of what a document can hold, behind helmet as it is. */
const makeApp = () => {
  const app = createApp()
    .use(helmet())
    .get(
      '/todos',
      describeRoute({ summary: 'List the todos', tags: ['todos'], responses: { 200: z.array(Todo) } }),
      validateQuery(z.object({ page: z.coerce.number().int().default(1) })),
      () => json([{ id: 1, title: 'Write', done: false }]),
    )
    .post(
      '/todos',
      describeRoute({ summary: 'Make a todo', tags: ['todos'], responses: { 201: Todo } }),
      bearerAuth({ verify: () => ({ id: 1 }) }),
      validateBody(Todo),
      (ctx) => ctx.json(ctx.state.valid.body, 201),
    )
    .get('/todos/:id', describeRoute({ summary: 'One todo', tags: ['todos'], responses: { 200: Todo } }), id, (ctx) =>
      json({ id: Number(ctx.params.id), title: 'Write', done: false }),
    )
    .delete(
      '/todos/:id',
      describeRoute({ summary: 'Remove a todo', tags: ['todos'], deprecated: true, responses: { 204: {} } }),
      id,
      () => new Response(null, { status: 204 }),
    )
    .post(
      '/photos',
      describeRoute({ summary: 'Send a photo', tags: ['photos'] }),
      validateBody(z.object({ photo: z.instanceof(File), alt: z.string() })),
      () => json({}),
    )
  const servers = [{ url: 'https://api.example/v1' }]
  openapiRoute('/openapi.json', { info: { title: 'Todos', version: '1.0.0' }, servers })(app)
  return apiReference({ title: 'Todos' })(app)
}

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')

const makeExample = async (): Promise<Served> => (await import('../../examples/node/app.ts')).app

/** A new project with a resource: the page asks its database for nothing. */
const makeProject = async (): Promise<Served> => {
  project ??= await newProject()
  return project
}
let project: Served | undefined
const newProject = async (): Promise<Served> => {
  const parent = temporaryFolder()
  const root = join(parent, 'shop')
  await runCommand(parent, ['new', 'shop', '--no-install', '--no-git'])
  linkPackages(root)
  await runCommand(root, ['g', 'resource', 'Post', 'title:string', 'body:text?'])
  return importApp(root)
}

/** Open the page of a served application, and note what it does wrong. */
const openReference = async (tab: Page, local: string, screen: Screen): Promise<Watched> => {
  const watched = await watchOn(tab, local, screen)
  await tab.goto(`${local}/reference`)
  await tab.locator('details[data-method]').first().waitFor()
  return watched
}

describeBrowser('the reference page in Chromium', ({ open, serve }) => {
  test.each(SCREENS)(
    'OA8, NE8: %s, %ipx, %i high, %s: shows the document and tries it out under helmet, with nothing from another host',
    async (...screen) => {
      const [device, , , colorScheme] = screen
      const { local } = await serve(makeApp())
      const tab = await open()
      const watched = await openReference(tab, local, screen)
      expect(await tab.title()).toBe('Todos')
      expect(await tab.locator('details[data-method]').count()).toBe(5)
      expect(await tab.locator('h2').allTextContents()).toEqual(['todos', 'photos', 'Schemas'])
      await shoot(tab, `${device}-${colorScheme}`)
      expect(await overflows(tab, screen)).toBe(false)
      expect(await faintTexts(tab)).toEqual([])

      const one = tab.locator('#getTodosId')
      await one.locator('summary').click()
      await one.getByLabel('id').fill('7')
      await one.getByRole('button', { name: 'Send' }).click()
      await one.locator('[role=status] strong').waitFor()
      expect(await one.locator('[role=status]').textContent()).toContain('"id": 7')
      await shoot(tab, `${device}-${colorScheme}-tried`)
      expect(await overflows(tab, screen)).toBe(false)
      expect(await faintTexts(tab)).toEqual([])
      expect(watched).toEqual({ complaints: [], foreign: [] })
    },
  )

  test('NE8: sends bodies, secrets and queries, and opens what its address names', async () => {
    const { local } = await serve(makeApp())
    const tab = await open()
    await tab.goto(`${local}/reference#postTodos`)
    const make = tab.locator('#postTodos')
    const status = make.locator('[role=status]')
    await make.getByRole('button', { name: 'Send' }).click()
    await status.getByText('401').first().waitFor()
    await tab.getByText('Authorization', { exact: true }).click()
    await tab.getByLabel('bearerAuth').fill('secret')
    await make.getByLabel('body').fill('{"id":3,"title":"Read"}')
    await make.getByRole('button', { name: 'Send' }).click()
    await status.getByText('201').first().waitFor()
    expect(await status.textContent()).toContain('"title": "Read"')

    const list = tab.locator('#getTodos')
    await list.locator('summary').click()
    await list.getByLabel('page').fill('x')
    await list.getByRole('button', { name: 'Send' }).click()
    await list.locator('[role=status]').getByText('422').first().waitFor()

    const photo = tab.locator('#postPhotos')
    await photo.locator('summary').click()
    await photo.getByLabel('photo').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await photo.getByLabel('alt').fill('words')
    await photo.getByRole('button', { name: 'Send' }).click()
    await photo.locator('[role=status]').getByText('200').first().waitFor()
  })

  test('NE8: a server of the document is chosen by the reader, and the policy of the page may refuse it', async () => {
    const { local } = await serve(makeApp())
    const tab = await open()
    await tab.goto(`${local}/reference`)
    const servers = tab.getByLabel('Server')
    expect(await servers.locator('option').allTextContents()).toEqual([local, 'https://api.example/v1'])
    expect(await servers.inputValue()).toBe('')
    await servers.selectOption('https://api.example/v1')
    await tab.locator('#getTodos summary').click()
    await tab.locator('#getTodos').getByRole('button', { name: 'Send' }).click()
    expect(await tab.locator('#getTodos [role=alert]').textContent()).toContain('No response')
  })

  test('NE8: text of a document stays text, and one that cannot be read is named', async () => {
    const bad = '<img src=x onerror=alert(1)>'
    const paths = {
      '/a': { get: { summary: bad, description: bad, tags: [bad], responses: { 200: { description: bad } } } },
    }
    const app = createApp()
      .get('/openapi.json', () =>
        json({ openapi: '3.1.0', info: { title: bad, version: bad, description: bad }, paths }),
      )
      .get('/broken.json', () => new Response('{'))
    const { local } = await serve(apiReference({ path: '/other', url: '/broken.json' })(apiReference()(app)))
    const tab = await open()
    const watched = await openReference(tab, local, SCREENS[0]!)
    await tab.locator('summary').first().click()
    expect(await tab.locator('img').count()).toBe(0)
    expect(watched).toEqual({ complaints: [], foreign: [] })
    await tab.goto(`${local}/other`)
    expect(await tab.getByRole('alert').textContent()).toContain('/broken.json: ')
  })

  describe.each([
    ['the example', 'Todos', makeExample],
    ['a generated project', 'shop', makeProject],
  ])('%s', (_, title, make) => {
    test.each(SCREENS)('OA8: %s, %ipx, %i high, %s: shows every operation and its answers', async (...screen) => {
      const [device, , , colorScheme] = screen
      const { local } = await serve(await make())
      const tab = await open()
      const watched = await openReference(tab, local, screen)
      expect(await tab.title()).toBe(title)
      const { paths } = await (await fetch(`${local}/openapi.json`)).json()
      const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods))
      expect(await tab.locator('details[data-method]').count()).toBe(operations.length)
      const first = tab.locator('[data-method=post]').first()
      await first.locator('summary').click()
      await first.getByText(/^201 /).waitFor()
      await shoot(tab, `${title}-${device}-${colorScheme}`)
      expect(await overflows(tab, screen)).toBe(false)
      expect(await faintTexts(tab)).toEqual([])
      expect(watched).toEqual({ complaints: [], foreign: [] })
    })
  })
})
