import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openFailurePage } from '../../generators/dev/failure-page.ts'
import { freePort } from '../../generators/dev/port.ts'
import { createApp, html } from '../../src/index.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { inspected } from '../generators/inspector.ts'
import { temporaryFolder } from '../generators/sandbox.ts'
import { describeBrowser } from './browser.ts'
import { faintTexts, overflows, SCREENS, shoot, watchOn } from './screens.ts'

vi.spyOn(console, 'error').mockImplementation(() => {})

/** A project whose route has a mistake in a line that is wider than any screen. */
const project = (): string => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'src'))
  const wide = `const names = [${Array.from({ length: 40 }, (_, index) => `'name-${index}'`).join(', ')}]`
  writeFileSync(join(root, 'src/routes.ts'), `import { json } from 'sluice'\n\n${wide}\nconst broken = (\nexport {}\n`)
  return root
}

/** What Node and tsx print for it. */
const said = (root: string): string => `node:internal/modules/run_main:123
    triggerUncaughtException(
    ^
Error: Transform failed with 1 error:
${join(root, 'src/routes.ts')}:5:0: ERROR: Unexpected "export"
    at failureErrorWithLog (${root}/node_modules/esbuild/lib/main.js:1467:15)

Node.js v20.20.2`

describeBrowser('the pages of sluice dev for mistakes, in Chromium', ({ open }) => {
  test.each(SCREENS)('P27: %s, %ipx, %i high, %s: a syntax error, until it is mended', async (...screen) => {
    const [device, , , scheme] = screen
    const root = project()
    const port = await freePort(27_000 + (process.pid % 1000), 'localhost')
    const local = `http://localhost:${port}`
    const failure = await openFailurePage({ root, port, host: 'localhost' }, said(root))
    const tab = await open()
    const watched = await watchOn(tab, local, screen)
    await tab.goto(local)
    await shoot(tab, `failure-${device}-${scheme}`)
    expect(await tab.locator('h1').textContent()).toBe('The application is not running')
    expect(await tab.locator('.reason').textContent()).toBe('Unexpected "export"')
    expect(await tab.locator('mark').textContent()).toContain('export {}')
    expect(await overflows(tab, screen)).toBe(false)
    expect(await faintTexts(tab)).toEqual([])
    expect(watched.foreign).toEqual([])
    await failure.close()
    const app = createApp().use(helmet())
    app.get('/', () => html('<!doctype html><title>shop</title><link rel="icon" href="data:,"><h1>it works again</h1>'))
    const server = await app.listen({ port, hostname: 'localhost' })
    try {
      await tab.getByText('it works again').waitFor()
    } finally {
      await server.close()
    }
  })

  test.each(SCREENS)('F6: %s, %ipx, %i high, %s: an error of a handler, behind helmet', async (...screen) => {
    const [device, , , scheme] = screen
    const root = project()
    const app = createApp().use(helmet())
    app.get('/boom', () => {
      const error = new TypeError(`Cannot read properties of undefined (reading '${'title'.repeat(30)}')`)
      error.stack = `TypeError: ${error.message}\n    at handler (${join(root, 'src/routes.ts')}:3:7)`
      throw error
    })
    const port = await freePort(28_000 + (process.pid % 1000), 'localhost')
    const local = `http://localhost:${port}`
    const end = inspected(app, { port, root })
    const server = await app.listen({ port, hostname: 'localhost' })
    try {
      const tab = await open()
      const watched = await watchOn(tab, local, screen)
      await tab.goto(`${local}/boom?token=hunter2`)
      await shoot(tab, `error-${device}-${scheme}`)
      expect(await tab.locator('mark').textContent()).toContain('const names')
      expect(await tab.locator('body').textContent()).not.toContain('hunter2')
      expect(await tab.locator('body').textContent()).toContain('/boom?token=(hidden)')
      expect(await overflows(tab, screen)).toBe(false)
      expect(await faintTexts(tab)).toEqual([])
      expect(watched.foreign).toEqual([])
      // The status of the page itself is what the browser says on the console
      expect(watched.complaints.filter((line) => !/status of (?:500|404)/.test(line))).toEqual([])
    } finally {
      end()
      await server.close()
    }
  })
})
