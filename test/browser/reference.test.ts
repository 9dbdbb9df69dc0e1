import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const folder = fileURLToPath(new URL('../openapi/tools/node_modules/swagger-ui-dist', import.meta.url))
const installed = existsSync(folder)
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${folder}`)

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
  openapiRoute('/openapi.json', { info: { title: 'Todos', version: '1.0.0' } })(app)
  return apiReference({ title: 'Todos', folder })(app)
}

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')

/** The example, started where the package of the page is. */
const makeExample = async (): Promise<Served> => {
  const started = vi.spyOn(process, 'cwd').mockReturnValue(join(folder, '../..'))
  const { app } = await import('../../examples/node/app.ts')
  started.mockRestore()
  return app
}

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
  await tab.locator('.opblock').first().waitFor()
  return watched
}

describeBrowser(
  `the reference page in Chromium${installed ? '' : ' (skipped: test/openapi/tools is not installed)'}`,
  ({ open, serve }) => {
    test.skipIf(!installed).each(SCREENS)(
      'OA8: %s, %ipx, %i high, %s: shows the document and tries it out under helmet, with nothing from another host',
      async (...screen) => {
        const [device, , , colorScheme] = screen
        const { local } = await serve(makeApp())
        const tab = await open()
        const watched = await openReference(tab, local, screen)
        await tab.getByText('List the todos').or(tab.locator('[data-path="/todos"]')).first().waitFor()
        expect(await tab.title()).toBe('Todos')
        expect(await tab.locator('.opblock').count()).toBe(5)
        expect(await tab.evaluate('document.documentElement.classList.contains("dark-mode")')).toBe(
          colorScheme === 'dark',
        )
        await shoot(tab, `${device}-${colorScheme}`)
        expect(await overflows(tab, screen)).toBe(false)
        expect(await faintTexts(tab)).toEqual([])

        await tab.locator('#operations-todos-getTodosId .opblock-summary-control').click()
        await tab.locator('.try-out__btn').click()
        await tab.locator('#operations-todos-getTodosId tr[data-param-name="id"] input').fill('7')
        await tab.locator('.execute').click()
        await tab.locator('.live-responses-table .response-col_status').first().waitFor()
        expect(await tab.locator('.live-responses-table').textContent()).toContain('"id": 7')
        await shoot(tab, `${device}-${colorScheme}-tried`)
        expect(await overflows(tab, screen)).toBe(false)
        expect(await faintTexts(tab)).toEqual([])
        expect(watched).toEqual({ complaints: [], foreign: [] })
      },
    )

    describe.skipIf(!installed).each([
      ['the example', 'Todos', makeExample],
      ['a generated project', 'shop', makeProject],
    ])('%s', (_, title, make) => {
      test.each(SCREENS)('OA8: %s, %ipx, %i high, %s: shows every operation and its answers', async (...screen) => {
        const [device, , , colorScheme] = screen
        const app = await make()
        const { local } = await serve(app)
        const tab = await open()
        const watched = await openReference(tab, local, screen)
        expect(await tab.title()).toBe(title)
        const { paths } = await (await fetch(`${local}/openapi.json`)).json()
        const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods))
        expect(await tab.locator('.opblock').count()).toBe(operations.length)
        await tab.locator('.opblock-post .opblock-summary-control').first().click()
        // The page draws what was opened a moment later
        await tab.locator('.responses-table .response-col_status', { hasText: '201' }).first().waitFor()
        await shoot(tab, `${title}-${device}-${colorScheme}`)
        expect(await overflows(tab, screen)).toBe(false)
        expect(await faintTexts(tab)).toEqual([])
        expect(await tab.evaluate('document.documentElement.classList.contains("dark-mode")')).toBe(
          colorScheme === 'dark',
        )
        expect(watched).toEqual({ complaints: [], foreign: [] })
      })
    })
  },
)
