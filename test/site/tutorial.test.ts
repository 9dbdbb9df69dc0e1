import { beforeAll, expect, test } from 'vitest'
import { describeBrowser, type Server } from '../browser/browser.ts'
import { site, watch } from './site.ts'

/** What each step shows once its request is sent: a part of the body or of the console. */
const STEPS = [
  { title: '1. A route', shows: '"slug": "hello"' },
  { title: '2. A parameter, and a missing article', shows: '"title": "Hello"' },
  { title: '3. A body that is checked', shows: '"slug": "hello-world"' },
  { title: '4. Middleware for all routes', shows: 'GET /none 404 true' },
  { title: '5. Authentication', shows: '"error": "Unauthorized"' },
  { title: '6. Modules', shows: '"other"' },
  { title: '7. Tests', shows: '"other"' },
  { title: '8. Events', shows: 'data: {"title":"Hello"}' },
]

describeBrowser('the tutorial on the playground in Chromium', ({ open, serve }) => {
  let server: Server
  beforeAll(async () => {
    server = await serve(site())
  })

  test('each step shows its text beside its program, and runs; Next leads through all', async () => {
    const page = await open()
    const seen = watch(page)
    await page.goto(`${server.local}/playground/#step=1`)
    for (const [at, { title, shows }] of STEPS.entries()) {
      if (at > 0) await page.click('#lesson-next')
      expect(await page.locator('#lesson-title').textContent()).toBe(title)
      await page.waitForFunction((text) => document.querySelector('.answer')?.textContent?.includes(text), shows, {
        timeout: 60_000,
      })
      expect({
        title,
        address: new URL(page.url()).hash,
        hasText: ((await page.locator('#lesson-text').textContent()) ?? '').length > 60,
      }).toEqual({ title, address: `#step=${at + 1}`, hasText: true })
    }
    expect(await page.locator('#lesson-next').isDisabled()).toBe(true)
    await page.click('#lesson-back')
    expect(await page.locator('#lesson-title').textContent()).toBe(STEPS.at(-2)!.title)
    expect({ problems: seen.problems, hosts: [...seen.hosts] }).toEqual({ problems: [], hosts: ['localhost'] })
  })

  test('a preset hides the text', async () => {
    const page = await open()
    await page.goto(`${server.local}/playground/#step=2`)
    await page.selectOption('#preset', '0')
    expect(await page.locator('#lesson').isHidden()).toBe(true)
  })

  test('a program of the tutorial page opens in its step', async () => {
    const page = await open()
    await page.goto(`${server.local}/tutorial`)
    await page.locator('button.run').nth(2).click()
    await page.waitForURL(/#step=3$/)
    expect(await page.locator('#lesson-title').textContent()).toBe(STEPS[2]!.title)
  })
})
