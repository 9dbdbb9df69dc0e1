import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { getCookies, setCookie } from '../../src/cookie.ts'
import { session } from '../../src/middleware/session.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { describeBrowser, type Server } from './browser.ts'

describeBrowser('cookies in Chromium', ({ open, serve }) => {
  let site: Server
  let elsewhere: Server

  beforeAll(async () => {
    site = await serve(
      createApp()
        .get('/set', (ctx) => {
          setCookie(ctx, 'strict', '1', { sameSite: 'strict', path: '/' })
          setCookie(ctx, 'lax', '1', { sameSite: 'lax', path: '/' })
          setCookie(ctx, 'hidden', '1', { httpOnly: true, sameSite: 'lax', path: '/' })
          setCookie(ctx, '__Host-id', '1', { secure: true, path: '/', sameSite: 'lax' })
          setCookie(ctx, 'value', 'a b;"ü=', { path: '/' })
          return html('set')
        })
        .get('/tossed', () => {
          const response = html('tossed')
          response.headers.append('set-cookie', '__Host-evil=1; Path=/; Secure; Domain=localhost')
          response.headers.append('set-cookie', '__Host-evil2=1; Path=/sub; Secure')
          response.headers.append('set-cookie', '__Host-evil3=1; Path=/')
          return response
        })
        .all('/see', (ctx) => html(`<pre>${JSON.stringify(getCookies(ctx)).replaceAll('<', '&lt;')}</pre>`)),
    )
    elsewhere = await serve(
      createApp()
        .get('/link', () => html(`<a href="${site.local}/see">go</a>`))
        .get('/form', () => html(`<form method=post action="${site.local}/see"><button>go</button></form>`)),
    )
  })

  const seen = async (tab: Page): Promise<Record<string, string>> =>
    JSON.parse((await tab.locator('pre').textContent())!)

  test('HttpOnly hides a cookie from scripts, not from the server', async () => {
    const tab = await open()
    await tab.goto(`${site.local}/set`)
    const visible = await tab.evaluate(() => document.cookie)
    expect(visible).toContain('lax=1')
    expect(visible).not.toContain('hidden')
    await tab.goto(`${site.local}/see`)
    expect(await seen(tab)).toMatchObject({ hidden: '1', lax: '1', strict: '1' })
  })

  test('a value of any characters comes back', async () => {
    const tab = await open()
    await tab.goto(`${site.local}/set`)
    await tab.goto(`${site.local}/see`)
    expect(await seen(tab)).toMatchObject({ value: 'a b;"ü=' })
  })

  test('SameSite: a link from another site brings Lax, not Strict', async () => {
    const tab = await open()
    await tab.goto(`${site.local}/set`)
    await tab.goto(`${elsewhere.other}/link`)
    await Promise.all([tab.waitForURL('**/see'), tab.click('a')])
    const cookies = await seen(tab)
    expect(cookies).toHaveProperty('lax')
    expect(cookies).not.toHaveProperty('strict')
  })

  test('SameSite: a form posted from another site brings neither', async () => {
    const tab = await open()
    await tab.goto(`${site.local}/set`)
    await tab.goto(`${elsewhere.other}/form`)
    await Promise.all([tab.waitForURL('**/see'), tab.click('button')])
    const cookies = await seen(tab)
    expect(Object.keys(cookies).filter((name) => name !== 'value')).toEqual([])
  })

  test('__Host- is accepted as we write it, but not with a domain, with another path or without Secure', async () => {
    const tab = await open()
    await tab.goto(`${site.local}/set`)
    await tab.goto(`${site.local}/tossed`)
    await tab.goto(`${site.local}/see`)
    const names = Object.keys(await seen(tab)).filter((name) => name.startsWith('__Host-'))
    expect(names).toEqual(['__Host-id'])
  })

  test('MN4, MN5: a session lives in the browser, unseen by scripts, and only once something is in it', async () => {
    const { local } = await serve(
      createApp()
        .use(session({ secret: 'a secret of thirty-two characters' }))
        .get('/', (ctx) => json(ctx.state.session))
        .get('/login', (ctx) => {
          ctx.state.session.user = 'ada'
          return json({})
        }),
    )
    const tab = await open()
    await tab.goto(local)
    expect(await tab.context().cookies()).toEqual([])
    await tab.goto(`${local}/login`)
    expect(await tab.context().cookies()).toMatchObject([
      { name: 'session', httpOnly: true, sameSite: 'Lax', path: '/', expires: -1 },
    ])
    await tab.goto(local)
    expect(JSON.parse((await tab.locator('body').textContent())!)).toEqual({ user: 'ada' })
    expect(await tab.evaluate(() => document.cookie)).toBe('')
  })
})
