import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommand } from '../generators/run-command.ts'
import { importApp, linkPackages, temporaryFolder } from '../generators/sandbox.ts'
import { describeBrowser, type Served } from './browser.ts'

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

const shots = process.env.SLUICE_SHOTS

describeBrowser('the start page of a new project in Chromium', ({ open, serve }) => {
  test.each(
    (['shop', 'grown'] as const).flatMap(
      (name) =>
        [
          [name, 'phone', 390, 844, 'light'],
          [name, 'phone', 390, 844, 'dark'],
          [name, 'desktop', 1280, 900, 'light'],
          [name, 'desktop', 1280, 900, 'dark'],
        ] as const,
    ),
  )(
    '%s, %s, %ipx, %i high, %s: it shows what there is, under helmet, with nothing from another host',
    async (name, device, width, height, colorScheme) => {
      const lines =
        name === 'shop' ? [] : ['resource Post title:string body:text?', 'resource admin/Category name:string']
      const { local } = await serve(await project(name, lines))
      const tab = await open()
      const complaints: string[] = []
      tab.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      tab.on('request', (request) => {
        if (new URL(request.url()).host !== new URL(local).host) complaints.push(request.url())
      })
      await tab.setViewportSize({ width, height })
      await tab.emulateMedia({ colorScheme })
      await tab.goto(local)
      if (shots) await tab.screenshot({ path: `${shots}/start-${name}-${device}-${colorScheme}.png`, fullPage: true })
      expect(await tab.locator('h1').textContent()).toBe(name)
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const dark = await tab.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(dark).toBe(colorScheme === 'dark' ? 'rgb(18, 20, 22)' : 'rgb(247, 249, 251)')
      const routes = await tab.locator('table code').allTextContents()
      expect(routes.length).toBe(name === 'shop' ? 1 : 13)
      expect(routes).toContain('/health')
      // The inspector is there under `sluice dev` alone
      expect(await tab.locator('nav a').allTextContents()).toHaveLength(2)
      for (const link of await tab.locator('a').all()) {
        const path = (await link.getAttribute('href')) ?? ''
        if (path !== '/posts' && path !== '/admin/categories')
          expect((await fetch(local + path)).status, path).toBe(200)
      }
      expect(complaints).toEqual([])
    },
  )
})
