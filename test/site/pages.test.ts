import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { describeBrowser, type Server } from '../browser/browser.ts'
import { root, settled, site, watch } from './site.ts'

/** The check of accessibility, as a script. */
const axe = readFileSync(`${root}site/node_modules/axe-core/axe.min.js`, 'utf8')

/** Rules of WCAG 2, A and AA, that a page breaks, each with the first place. */
const VIOLATIONS = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].target))`

const PAGES = [
  '/',
  '/routing',
  '/middleware/session',
  '/recipes/remember-me',
  '/recipes/',
  '/reference/middleware/cors',
  '/benchmarks',
  '/playground/',
  '/playground/#step=3',
]

describeBrowser('the site in Chromium', ({ open, serve }) => {
  let server: Server
  beforeAll(async () => {
    server = await serve(site())
  })

  test.each(
    PAGES.flatMap((path) => [
      { path, width: 1280, colorScheme: 'light' as const },
      { path, width: 390, colorScheme: 'dark' as const },
    ]),
  )(
    '$path fits $width pixels in $colorScheme, asks no other host, and has no error and no violation',
    async ({ path, width, colorScheme }) => {
      const page = await open()
      const seen = watch(page)
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await page.goto(server.local + path, { waitUntil: 'networkidle' })
      if (path.startsWith('/playground/')) await settled(page)
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await page.evaluate(axe)
      const violations = await page.evaluate(VIOLATIONS)
      const { problems, hosts } = seen
      expect({ problems, hosts: [...hosts], sideways: Math.max(0, sideways), violations }).toEqual({
        problems: [],
        hosts: ['localhost'],
        sideways: 0,
        violations: [],
      })
    },
  )

  test('the first load of a guide page is at most 250 kB, compressed', async () => {
    const page = await open()
    const seen = watch(page)
    await page.goto(`${server.local}/middleware/session`, { waitUntil: 'networkidle' })
    expect(await seen.bytes()).toBeLessThan(250_000)
    expect(await seen.bytes()).toBeGreaterThan(30_000)
  })

  test('tabs of package managers go together, and the choice is kept', async () => {
    const page = await open()
    await page.goto(`${server.local}/start`, { waitUntil: 'networkidle' })
    await page.locator('label[data-title="pnpm"]').first().click()
    const shown = () => page.locator('.vp-code-group[data-sync="manager"] .blocks .active code').allTextContents()
    expect(await shown()).toEqual(['pnpm add sluice', 'pnpm exec sluice new shop --template api --db sqlite'])
    await page.reload({ waitUntil: 'networkidle' })
    await page.waitForFunction(() => document.querySelector('.blocks .active code')?.textContent?.startsWith('pnpm'))
    expect(await shown()).toEqual(['pnpm add sluice', 'pnpm exec sluice new shop --template api --db sqlite'])
  })

  test('a program of a page opens in the playground, and runs', async () => {
    const page = await open()
    await page.goto(`${server.local}/tutorial`, { waitUntil: 'networkidle' })
    await page.locator('button.run').nth(1).click()
    await settled(page)
    expect(await page.locator('#status').textContent()).toMatch(/^200 OK/)
    expect(JSON.parse((await page.locator('#output').textContent()) ?? '')).toMatchObject({
      article: { slug: 'hello' },
    })
  })
})
