import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type CleanRules, createCleaner } from '../../src/internal/markup/sanitize.ts'
import { sanitizer } from '../../src/middleware/sanitizer.ts'
import { html } from '../../src/respond/html.ts'
import { describeBrowser } from './browser.ts'
import { payloads } from './xss-payloads.ts'

const ALLOWED = ['b', 'i', 'p', 'a', 'img', 'br', 'table', 'td', 'form', 'input', 'video', 'div', 'button', 'details']

const MODES: readonly [string, CleanRules][] = [
  ['strip and escape', {}],
  ['strip and escape, with allowed tags', { allowedTags: ALLOWED }],
  ['strip only', { escapeHtml: false }],
  ['strip only, with allowed tags', { escapeHtml: false, allowedTags: ALLOWED }],
  ['escape only', { stripTags: false }],
  ['escape only, with allowed tags', { stripTags: false, allowedTags: ALLOWED }],
]

/** What a page shows of the attacks: who ran, which elements and which attributes are there. */
interface Seen {
  readonly ran: number
  readonly boxes: number
  readonly elements: readonly string[]
  readonly attributes: readonly string[]
}

const SPY = '<script>window.ran = 0; window.pwn = () => { ran++ }; window.alert = pwn</script>'
const page = (body: string): string => `<!doctype html><meta charset=utf-8>${SPY}<main>${body}</main>`

/** Events such as `onerror` and `ontoggle` come later; whatever could be clicked is. */
const look = async (tab: Page): Promise<Seen> => {
  await tab.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('main *'))
      if (element.className === 'go') element.click()
  })
  await tab.waitForTimeout(500)
  return tab.evaluate(() => {
    const boxes = [...document.querySelectorAll('main > section')]
    const inner = boxes.flatMap((box) => [...box.querySelectorAll('*')])
    return {
      ran: (window as unknown as { ran: number }).ran,
      boxes: boxes.length,
      elements: [...new Set(inner.map((element) => element.localName))],
      attributes: inner.flatMap((element) => [...element.attributes].map(({ name }) => `${element.localName} ${name}`)),
    }
  })
}

describeBrowser('sanitized text in Chromium', ({ open, serve }) => {
  test('the attacks are real: most families run without the sanitizer', async () => {
    const tab = await open()
    await tab.setContent(page(''))
    // In frames of their own, a few at a time, so that each has its turn.
    const run = async (from: number, to: number): Promise<number[]> =>
      tab.evaluate(
        async (list) => {
          const ran = new Set<number>()
          const frames = list.map(([index, html]) => {
            const frame = document.createElement('iframe')
            Object.assign(window, { [`hit${index}`]: () => ran.add(index) })
            frame.srcdoc = `<script>window.pwn = parent.hit${index}</script><body>${html}`
            document.body.append(frame)
            return frame
          })
          await new Promise((resolve) => setTimeout(resolve, 700))
          for (const frame of frames) frame.contentDocument?.querySelector<HTMLElement>('a.go')?.click?.()
          await new Promise((resolve) => setTimeout(resolve, 100))
          for (const frame of frames) frame.remove()
          return [...ran]
        },
        payloads.slice(from, to).map(({ html }, index) => [from + index, html] as const),
      )
    const hits: number[] = []
    for (let from = 0; from < payloads.length; from += 60) hits.push(...(await run(from, from + 60)))
    const families = new Set(hits.map((index) => payloads[index]!.family))
    expect(hits.length).toBeGreaterThan(200)
    expect([...families].sort()).toEqual(
      expect.arrayContaining(['comment', 'control', 'gap', 'handler', 'mutation', 'nested', 'script', 'url', 'vector']),
    )
  })

  test.each(MODES)('MS4: innerHTML, %s: none of the attacks runs, no attribute survives', async (_, rules) => {
    const clean = createCleaner(rules)
    const tab = await open()
    await tab.setContent(page(''))
    await tab.evaluate(
      (texts) => {
        for (const text of texts) {
          const box = document.createElement('section')
          document.querySelector('main')!.append(box)
          box.innerHTML = text
          // What one parse leaves must not turn into something else in the next.
          box.innerHTML = box.innerHTML as string
        }
      },
      payloads.map(({ html }) => clean(html)),
    )
    const seen = await look(tab)
    expect(seen).toMatchObject({ ran: 0, boxes: payloads.length, attributes: [] })
    expect([...(rules.allowedTags ?? []), 'tbody', 'tr']).toEqual(expect.arrayContaining([...seen.elements]))
  })

  test.each(MODES)('MS4: a whole page, %s: none of the attacks runs, no attribute survives', async (_, rules) => {
    const clean = createCleaner(rules)
    const app = createApp().get('/', () =>
      html(page(payloads.map((payload) => `<section>${clean(payload.html)}</section>`).join('\n'))),
    )
    const { local } = await serve(app)
    const tab = await open()
    await tab.goto(local)
    const seen = await look(tab)
    expect(seen).toMatchObject({ ran: 0, boxes: payloads.length, attributes: [] })
    expect([...(rules.allowedTags ?? []), 'tbody', 'tr']).toEqual(expect.arrayContaining([...seen.elements]))
  })

  test('a comment passes through the middleware and shows as text', async () => {
    const app = createApp()
      .use(sanitizer({ allowedTags: ['b'] }))
      .get('/', (ctx) => html(page(`<section>${ctx.query.get('comment')}</section>`)))
    const { local } = await serve(app)
    const tab = await open()
    const shown = async (comment: string) => {
      await tab.goto(`${local}/?comment=${encodeURIComponent(comment)}`)
      const { ran, elements, attributes } = await look(tab)
      return { text: await tab.locator('section').textContent(), elements, attributes, ran }
    }
    expect(await shown('1 < 2 and 3 > 2')).toEqual({ text: '1 < 2 and 3 > 2', elements: [], attributes: [], ran: 0 })
    expect(await shown('Tom & "Jerry" &lt;b&gt;')).toEqual({
      text: 'Tom & "Jerry" &lt;b&gt;',
      elements: [],
      attributes: [],
      ran: 0,
    })
    expect(await shown('<b onclick=pwn()>bold</b> <i>plain</i><script>pwn()</script>')).toEqual({
      text: 'bold plain',
      elements: ['b'],
      attributes: [],
      ran: 0,
    })
    expect(await shown('<b><img src=x onerror=pwn()')).toEqual({ text: '', elements: ['b'], attributes: [], ran: 0 })
  })

  test.each(MODES)('text without markup keeps its meaning, %s', async (_, rules) => {
    const texts = [
      '1 < 2 and 3 > 2',
      'a << 2 >> b',
      'I <3 you',
      'Grüße, 世界 👋',
      'x <',
      '5 > 4 &c',
      `"it's"`,
      'a <- b',
      'f(x) = x < 3 ? 1 : 2',
    ]
    const tab = await open()
    await tab.setContent(page(''))
    const shown = await tab.evaluate(
      (cleaned) =>
        cleaned.map((text) => {
          const box = document.createElement('section')
          box.innerHTML = text
          return box.textContent
        }),
      texts.map(createCleaner(rules)),
    )
    expect(shown).toEqual(texts)
  })
})
