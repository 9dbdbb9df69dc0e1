import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { html, raw } from '../../src/html.ts'
import { jsx } from '../../src/jsx-runtime.ts'
import { describeBrowser } from './browser.ts'
import { payloads } from './xss-payloads.ts'

/** In a frame, what runs still reaches the page. */
const reaching = (attack: string): string => attack.replaceAll('pwn()', 'top.pwn()')

/** The attacks, and what they hold between quotes, which is what an attribute or a URL is attacked with. */
const attacks: readonly string[] = [
  ...new Set(
    payloads.flatMap(({ html }) => [
      html,
      ...Array.from(html.matchAll(/"([^"]*)"/g), ([, inner]) => inner!),
      `"${html}`,
      `'>${html}`,
    ]),
  ),
].map(reaching)

/** Those that are no markup: a browser is slow with thousands of frames. */
const urls = attacks.filter((attack) => !/^["'>]*</.test(attack))

const SPY = raw('<script>window.ran = 0; window.pwn = () => { ran++ }; window.alert = pwn</script>')

/** Each context, with the elements and attributes that it is to have. */
const CONTEXTS: readonly [string, (attack: string) => unknown, readonly string[]][] = [
  ['text', (attack) => html`<b>${attack}</b>`, ['b']],
  ['text of a list', (attack) => html`<b>${[attack, html`<i>${attack}</i>`]}</b>`, ['b', 'i']],
  ['text that comes later', (attack) => html`<b>${Promise.resolve(attack)}</b>`, ['b']],
  ['textarea', (attack) => html`<textarea>${attack}</textarea>`, ['textarea']],
  ['text in SVG', (attack) => html`<svg><title>${attack}</title></svg>`, ['svg', 'title']],
  ['text in a noscript', (attack) => html`<noscript>${attack}</noscript>`, ['noscript']],
  ['a quoted attribute', (attack) => html`<b title="${attack}">x</b>`, ['b title']],
  ['an attribute in single quotes', (attack) => html`<b title='a ${attack}'>x</b>`, ['b title']],
  ['a whole attribute', (attack) => html`<b title=${attack}>x</b>`, ['b title']],
  ['a style', (attack) => html`<b style="color: ${attack}">x</b>`, ['b style']],
  ['href', (attack) => html`<a class=go href="${attack}">x</a>`, ['a class href']],
  ['href in halves', (a) => html`<a class=go href="${a.slice(0, 4)}${a.slice(4)}">x</a>`, ['a class href']],
  [
    'xlink:href',
    (a) => html`<svg><a class=go xlink:href="${a}"><text>x</text></a></svg>`,
    ['svg', 'a class xlink:href', 'text'],
  ],
  ['src of a frame', (attack) => html`<iframe src="${attack}"></iframe>`, ['iframe src']],
  ['src of an image', (attack) => html`<img src=${attack}>`, ['img src']],
  ['data of an object', (attack) => html`<object data="${attack}"></object>`, ['object data']],
  ['action', (a) => html`<form action="${a}"><button class=go>x</button></form>`, ['form action', 'button class']],
  [
    'formaction',
    (a) => html`<form><button class=go formaction="${a}">x</button></form>`,
    ['form', 'button class formaction'],
  ],
  ['content of a meta', (attack) => html`<meta name=description content="${attack}">`, ['meta name content']],
  ['data in a script', (attack) => html`<script type="application/json">${[attack]}</script>`, ['script type']],
  [
    'an animation',
    (a) => html`<svg><a class=go><set attributeName=href to="${a}"></set></a></svg>`,
    ['svg', 'a class', 'set attributename to'],
  ],
  ['JSX', (a) => jsx('a', { class: 'go', href: a, title: a, children: a }), ['a class href title']],
]

/** So few on a page that a browser has time for each frame. */
const PAGE_SIZE = 400

/** What a page of attacks shows: how many ran, how many there were, and what is inside their boxes. */
interface Seen {
  readonly ran: number
  readonly boxes: number
  readonly inside: readonly string[]
}

/** Click and submit what is there. Only code may follow a link, so that the page stays. */
const attack = async (tab: Page): Promise<Seen> =>
  tab.evaluate(async () => {
    const keep = (event: Event): void => {
      const link = (event.target as Element).closest('a')
      const url = link?.getAttribute('href') ?? link?.getAttribute('xlink:href') ?? ''
      if (!URL.canParse(url) || new URL(url).protocol !== 'javascript:') event.preventDefault()
    }
    document.addEventListener('click', (event) => {
      if (!(event.target as Element).closest('form')) keep(event)
    })
    document.addEventListener('submit', (event) => {
      const button = (event as SubmitEvent).submitter as HTMLButtonElement
      const url = button.hasAttribute('formaction') ? button.formAction : (event.target as HTMLFormElement).action
      if (!url.startsWith('javascript:')) event.preventDefault()
    })
    for (const element of document.querySelectorAll<HTMLElement>('main .go'))
      if (element.click) element.click()
      else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const boxes = [...document.querySelectorAll('main > section')]
    const describe = (each: Element): string =>
      [each.localName, ...[...each.attributes].map(({ name }) => name.toLowerCase())].join(' ')
    return {
      ran: (window as unknown as { ran: number }).ran,
      boxes: boxes.length,
      inside: [...new Set(boxes.map((box) => [...box.querySelectorAll('*')].map(describe).join(', ')))],
    }
  })

describeBrowser('markup of sluice/html in Chromium', ({ open, serve }) => {
  /** A page for each part of the attacks, opened one after the other. */
  const look = async (list: readonly string[], make: (attack: string) => unknown): Promise<Seen[]> => {
    const app = createApp().get('/:from', (ctx) => {
      const from = Number(ctx.params.from)
      const boxes = list.slice(from, from + PAGE_SIZE).map((each) => html`<section>${make(each)}</section>`)
      return ctx.html(html`<!doctype html><meta charset=utf-8>${SPY}<main>${boxes}</main>`)
    })
    const { local } = await serve(app)
    const tab = await open()
    // Other addresses, ours or not, answer with nothing
    await tab.route(
      (url) => !/^\/\d+$/.test(url.pathname) || !url.href.startsWith(local),
      (route) => route.fulfill({ status: 204 }),
    )
    const seen: Seen[] = []
    for (let from = 0; from < list.length; from += PAGE_SIZE) {
      await tab.goto(`${local}/${from}`, { waitUntil: 'domcontentloaded' })
      seen.push(await attack(tab))
    }
    return seen
  }

  test.each([
    ['text', (each: string) => raw(each)],
    ['href', (each: string) => html`<a class=go href="${raw(each)}">x</a>`],
    ['xlink:href', (each: string) => html`<svg><a class=go xlink:href="${raw(each)}"><text>x</text></a></svg>`],
    ['src of a frame', (each: string) => html`<iframe src="${raw(each)}"></iframe>`],
    ['action', (each: string) => html`<form action="${raw(each)}"><button class=go>x</button></form>`],
    ['formaction', (each: string) => html`<form><button class=go formaction="${raw(each)}">x</button></form>`],
  ])('the attacks are real: in %s they run where they are trusted', async (name, make) => {
    const list = (name === 'text' ? attacks : urls).slice(0, PAGE_SIZE)
    expect((await look(list, make))[0]!.ran).toBeGreaterThan(0)
  })

  test.each(CONTEXTS)(
    'MX16: %s: none of the attacks runs, and no element or attribute is added',
    async (name, make, expected) => {
      const list = /frame|object/.test(name) ? urls : attacks
      const seen = await look(list, make)
      expect(seen.map(({ ran, inside }) => ({ ran, inside }))).toEqual(
        seen.map(() => ({ ran: 0, inside: [expected.join(', ')] })),
      )
      expect(seen.reduce((sum, { boxes }) => sum + boxes, 0)).toBe(list.length)
    },
  )
})
