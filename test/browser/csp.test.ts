import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { html } from '../../src/respond/html.ts'
import { text } from '../../src/respond/text.ts'
import { describeBrowser } from './browser.ts'

/** Names of the scripts that ran. */
const ran = (tab: Page): Promise<unknown> => tab.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? [])

const mark = (name: string): string => `(window.ran ??= []).push('${name}')`

describeBrowser('the policy of helmet in Chromium', ({ open, serve }) => {
  test('without it everything runs', async () => {
    const app = createApp().get('/', () =>
      html(`<script>${mark('inline')}</script><img src=x onerror="${mark('handler')}">`),
    )
    const tab = await open()
    await tab.goto((await serve(app)).local)
    expect(await ran(tab)).toEqual(['inline', 'handler'])
  })

  test('MH1, MH2: the default policy stops inline scripts, handlers and scripts of others, and lets its own run', async () => {
    const other = await serve(
      createApp().get('/x.js', () => text(mark('other'), 200, { 'content-type': 'text/javascript' })),
    )
    const app = createApp()
      .use(helmet())
      .get('/own.js', () => text(mark('own'), 200, { 'content-type': 'text/javascript' }))
      .get('/', () =>
        html(`<title>x</title>
          <script>${mark('inline')}</script>
          <img src=x onerror="${mark('handler')}">
          <a href="javascript:${mark('url')}" id=go>x</a>
          <script src="${other.local}/x.js"></script>
          <script src="/own.js"></script>`),
      )
    const tab = await open()
    const violations: string[] = []
    tab.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text())
    })
    await tab.goto((await serve(app)).local)
    await tab.click('#go')
    await tab.waitForTimeout(200)
    expect(await ran(tab)).toEqual(['own'])
    expect(violations.length).toBeGreaterThanOrEqual(4)
  })

  test('MH8: a nonce lets only one inline script run', async () => {
    const app = createApp()
      .use(helmet({ contentSecurityPolicy: { nonce: true } }))
      .get('/', (ctx) =>
        html(`<script nonce="${ctx.state.cspNonce}">${mark('mine')}</script>
          <script>${mark('inline')}</script>
          <script nonce="guessed">${mark('guessed')}</script>`),
      )
    const { local } = await serve(app)
    const tab = await open()
    await tab.goto(local)
    expect(await ran(tab)).toEqual(['mine'])
    await tab.goto(local)
    expect(await ran(tab)).toEqual(['mine'])
  })

  test('MH4: no other site can frame the page', async () => {
    const framedTexts = async (...middleware: ReturnType<typeof helmet>[]): Promise<unknown> => {
      const app = createApp()
      for (const step of middleware) app.use(step)
      const framed = await serve(app.get('/', () => html('<p>framed</p>')))
      const site = await serve(createApp().get('/', () => html(`<iframe src="${framed.other}/"></iframe>`)))
      const tab = await open()
      await tab.goto(site.local)
      await tab.waitForTimeout(300)
      return tab.frames()[1]!.locator('p', { hasText: 'framed' }).count()
    }
    expect(await framedTexts()).toBe(1)
    expect(await framedTexts(helmet({ contentSecurityPolicy: false }))).toBe(0)
    expect(await framedTexts(helmet({ frameguard: false }))).toBe(0)
  })

  test('MH5: a script whose type is not one does not run', async () => {
    const run = async (noSniff: boolean): Promise<unknown> => {
      const app = createApp()
        .use(helmet({ contentSecurityPolicy: false, noSniff }))
        .get('/x.txt', () => text(mark('sniffed')))
        .get('/', () => html('<script src="/x.txt"></script>'))
      const tab = await open()
      await tab.goto((await serve(app)).local)
      return ran(tab)
    }
    expect(await run(false)).toEqual(['sniffed'])
    expect(await run(true)).toEqual([])
  })
})
