import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommand } from '../generators/run-command.ts'
import { importApp, linkPackages, temporaryFolder } from '../generators/sandbox.ts'
import { describeBrowser, type Served } from './browser.ts'
import { faintTexts, overflows, SCREENS, shoot, watchOn } from './screens.ts'

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')

/** A new project, with a resource or as it comes. */
const newProject = async (name: string, lines: readonly string[]): Promise<Served> => {
  const parent = temporaryFolder()
  const root = join(parent, name)
  await runCommand(parent, ['new', name, '--no-install', '--no-git'])
  linkPackages(root)
  for (const line of lines) await runCommand(root, ['g', ...line.split(' ')])
  return importApp(root)
}
const projects = new Map<string, Promise<Served>>()
const project = (name: string, lines: readonly string[]): Promise<Served> => {
  const made = projects.get(name) ?? newProject(name, lines)
  projects.set(name, made)
  return made
}

describeBrowser('the start page of a new project in Chromium', ({ open, serve }) => {
  test.each((['shop', 'grown'] as const).flatMap((name) => SCREENS.map((screen) => [name, ...screen] as const)))(
    '%s, %s, %ipx, %i high, %s: it shows what there is, under helmet, with nothing from another host',
    async (name, ...screen) => {
      const [device, , , colorScheme] = screen
      const lines =
        name === 'shop' ? [] : ['resource Post title:string body:text?', 'resource admin/Category name:string']
      const { local } = await serve(await project(name, lines))
      const tab = await open()
      const watched = await watchOn(tab, local, screen)
      await tab.goto(local)
      await shoot(tab, `start-${name}-${device}-${colorScheme}`)
      expect(await tab.locator('h1').textContent()).toBe(name)
      expect(await overflows(tab, screen)).toBe(false)
      expect(await faintTexts(tab)).toEqual([])
      const dark = await tab.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(dark).toBe(colorScheme === 'dark' ? 'rgb(18, 20, 22)' : 'rgb(247, 249, 251)')
      const routes = await tab.locator('table code').allTextContents()
      expect(routes.length).toBe(name === 'shop' ? 1 : 5)
      expect(routes).toContain('/health')
      // The inspector is there under `sluice dev` alone
      expect(await tab.locator('nav a').allTextContents()).toHaveLength(2)
      for (const link of await tab.locator('a').all()) {
        const path = (await link.getAttribute('href')) ?? ''
        if (path !== '/posts' && path !== '/admin/categories')
          expect((await fetch(local + path)).status, path).toBe(200)
      }
      expect(watched).toEqual({ complaints: [], foreign: [] })
    },
  )
})
