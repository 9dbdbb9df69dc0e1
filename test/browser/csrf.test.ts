import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { describeBrowser, type Server } from './browser.ts'

const secret = 'a secret of thirty-two characters'

describeBrowser('CSRF in Chromium', ({ open, serve }) => {
  let site: Server
  let evil: Server
  const paid: unknown[] = []

  beforeAll(async () => {
    site = await serve(
      createApp()
        .use(bodyParser())
        // SameSite=None, so that only the token stands between the two sites.
        .use(session({ secret, cookie: { sameSite: 'none', secure: true } }))
        .use(csrf({ secret, cookie: { sameSite: 'none', secure: true } }))
        .get('/login', (ctx) => {
          ctx.state.session.user = 'ada'
          return json({})
        })
        .get('/form', (ctx) =>
          html(
            `<form method=post action=/pay><input name=_csrf value="${ctx.state.csrfToken}"><input name=to value=bob><button>pay</button></form>`,
          ),
        )
        .get('/token', (ctx) => json({ token: ctx.state.csrfToken }))
        .post('/pay', (ctx) => {
          paid.push((ctx.state.body as { to: unknown }).to)
          return json({ paid: true, user: ctx.state.session.user ?? null })
        }),
    )
    const attack = (action: string, extra = ''): string =>
      `<form method=post action="${action}">${extra}<input name=to value=mallory><button>win</button></form>`
    evil = await serve(
      createApp()
        .get('/form', () => html(attack(`${site.local}/pay`)))
        .get('/guess', () => html(attack(`${site.local}/pay`, `<input name=_csrf value="${'A'.repeat(32)}">`)))
        .get('/stolen', (ctx) =>
          html(attack(`${site.local}/pay`, `<input name=_csrf value="${ctx.query.get('token')}">`)),
        ),
    )
  })

  const login = async (): Promise<Page> => {
    paid.length = 0
    const tab = await open()
    await tab.goto(`${site.local}/login`)
    return tab
  }

  const submit = async (tab: Page): Promise<unknown> => {
    await Promise.all([tab.waitForURL('**/pay'), tab.click('button')])
    return JSON.parse((await tab.locator('body').textContent())!)
  }

  test('MC8: the real form passes', async () => {
    const tab = await login()
    await tab.goto(`${site.local}/form`)
    expect(await submit(tab)).toEqual({ paid: true, user: 'ada' })
    expect(paid).toEqual(['bob'])
  })

  test('MC3: a script of the page passes with the header', async () => {
    const tab = await login()
    const answer = await tab.evaluate(async () => {
      const { token } = await (await fetch('/token')).json()
      const init = {
        method: 'POST',
        headers: { 'x-csrf-token': token, 'content-type': 'application/json' },
        body: '{"to":"bob"}',
      }
      return (await fetch('/pay', init)).json()
    })
    expect(answer).toEqual({ paid: true, user: 'ada' })
  })

  test('MC7: without the header it does not', async () => {
    const tab = await login()
    await tab.goto(`${site.local}/form`)
    const status = await tab.evaluate(async () => (await fetch('/pay', { method: 'POST' })).status)
    expect({ status, paid }).toEqual({ status: 403, paid: [] })
  })

  test.each([
    ['without a token', '/form', 'csrf_missing'],
    ['with a guessed one', '/guess', 'csrf_invalid'],
  ])('MC4: a form of another site fails %s, though the browser sends the cookies', async (_, path, code) => {
    const tab = await login()
    await tab.goto(`${site.local}/form`)
    await tab.goto(evil.other + path)
    expect(await submit(tab)).toEqual({ error: 'Invalid CSRF token', code })
    expect(paid).toEqual([])
  })

  test('MC4: even with a stolen token, as the browser tells where the form was', async () => {
    const tab = await login()
    await tab.goto(`${site.local}/form`)
    const token = await tab.locator('[name=_csrf]').inputValue()
    await tab.goto(`${evil.other}/stolen?token=${encodeURIComponent(token)}`)
    expect(await submit(tab)).toEqual({ error: 'Invalid CSRF token', code: 'csrf_invalid' })
    expect(paid).toEqual([])
  })

  test('MC4: a script of another site fails with any content type that it may send', async () => {
    const tab = await login()
    await tab.goto(`${site.local}/form`)
    await tab.goto(`${evil.other}/form`)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      await tab.evaluate(
        ([target, kind]) =>
          fetch(target!, {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            body: 'to=mallory',
            ...(kind && { headers: { 'content-type': kind } }),
          }),
        [`${site.local}/pay`, type],
      )
    }
    expect(paid).toEqual([])
  })

  test('MC4: the token of one browser is worth nothing in another', async () => {
    const mine = await login()
    await mine.goto(`${site.local}/form`)
    const token = await mine.locator('[name=_csrf]').inputValue()
    const theirs = await login()
    await theirs.goto(`${site.local}/form`)
    await theirs.locator('[name=_csrf]').fill(token)
    expect(await submit(theirs)).toMatchObject({ error: 'Invalid CSRF token' })
    expect(paid).toEqual([])
  })
})
