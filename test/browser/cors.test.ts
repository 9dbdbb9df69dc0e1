import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { getCookie, setCookie } from '../../src/cookie.ts'
import { type CorsOptions, cors } from '../../src/middleware/cors.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { describeBrowser, type Server } from './browser.ts'

/** What a script gets: the answer, or that the browser keeps it away. */
const ask = (tab: Page, url: string, init: RequestInit = {}): Promise<unknown> =>
  tab.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target, options as RequestInit)
        const body = await response.json()
        return { status: response.status, body, total: response.headers.get('x-total') }
      } catch (error) {
        return (error as Error).name
      }
    },
    [url, init] as const,
  )

const BLOCKED = 'TypeError'

describeBrowser('CORS in Chromium', ({ open, serve }) => {
  let site: Server
  const methods: string[] = []

  beforeAll(async () => {
    site = await serve(createApp().get('/', () => html('<title>site</title>')))
  })

  /** An API with these options, on a port of its own: another origin, the same site. */
  const api = async (options?: CorsOptions): Promise<string> => {
    methods.length = 0
    const app = createApp()
      .use(cors(options))
      .use((ctx, next) => {
        methods.push(ctx.method)
        return next()
      })
      .get('/data', (ctx) => json({ cookie: getCookie(ctx, 'who') ?? null }, 200, { 'x-total': '7' }))
      .put('/data', () => json({ put: true }))
      .get('/login', (ctx) => {
        setCookie(ctx, 'who', 'ada', { sameSite: 'lax', httpOnly: true })
        return json({})
      })
      .get('/broken', () => {
        throw new Error('broken')
      })
    return (await serve(app)).local
  }

  const page = async (): Promise<Page> => {
    const tab = await open()
    await tab.goto(site.local)
    return tab
  }

  test('without cors the browser blocks', async () => {
    const { local } = await serve(createApp().get('/data', () => json({})))
    expect(await ask(await page(), `${local}/data`)).toBe(BLOCKED)
  })

  test('MO1: * is readable by everybody', async () => {
    const url = await api()
    expect(await ask(await page(), `${url}/data`)).toMatchObject({ status: 200 })
  })

  test('MO1: a listed origin reads, one that is not listed is blocked', async () => {
    const tab = await page()
    expect(await ask(tab, `${await api({ origin: ['http://elsewhere.test', site.local] })}/data`)).toMatchObject({
      status: 200,
    })
    expect(await ask(tab, `${await api({ origin: ['http://elsewhere.test', site.other] })}/data`)).toBe(BLOCKED)
    expect(await ask(tab, `${await api({ origin: `${site.local}0` })}/data`)).toBe(BLOCKED)
  })

  test('MO6: errors and unknown paths are readable, too', async () => {
    const tab = await page()
    const url = await api({ origin: [site.local] })
    expect(await ask(tab, `${url}/broken`)).toMatchObject({ status: 500, body: { error: 'Internal Server Error' } })
    expect(await ask(tab, `${url}/nowhere`)).toMatchObject({ status: 404 })
  })

  test('MO2: a header is readable when it is exposed', async () => {
    const tab = await page()
    expect(await ask(tab, `${await api({ exposedHeaders: ['X-Total'] })}/data`)).toMatchObject({ total: '7' })
    expect(await ask(tab, `${await api()}/data`)).toMatchObject({ total: null })
  })

  test('MO3: a preflight lets a method and headers pass, and reaches no handler', async () => {
    const url = await api({ origin: site.local })
    const init = { method: 'PUT', headers: { 'content-type': 'application/json', 'x-mine': '1' }, body: '{}' }
    expect(await ask(await page(), `${url}/data`, init)).toMatchObject({ status: 200, body: { put: true } })
    expect(methods).toEqual(['PUT'])
  })

  test('MO3: a method that is not allowed never leaves the browser', async () => {
    const url = await api({ methods: ['GET'] })
    expect(await ask(await page(), `${url}/data`, { method: 'PUT' })).toBe(BLOCKED)
    expect(methods).toEqual([])
  })

  test('MO3: nor does a header that is not allowed', async () => {
    const tab = await page()
    const url = await api({ allowedHeaders: ['x-mine'] })
    expect(await ask(tab, `${url}/data`, { headers: { 'x-mine': '1' } })).toMatchObject({ status: 200 })
    expect(await ask(tab, `${url}/data`, { headers: { 'x-other': '1' } })).toBe(BLOCKED)
    expect(methods).toEqual(['GET'])
  })

  test('MO2: cookies pass with credentials, both ways', async () => {
    const tab = await page()
    const url = await api({ origin: [site.local], credentials: true })
    const credentials = 'include'
    expect(await ask(tab, `${url}/login`, { credentials })).toMatchObject({ status: 200 })
    expect(await ask(tab, `${url}/data`, { credentials })).toMatchObject({ body: { cookie: 'ada' } })
    expect(await ask(tab, `${url}/data`)).toMatchObject({ body: { cookie: null } })
  })

  test('MO5: without credentials, or with * and credentials, an answer to a request with cookies is blocked', async () => {
    const tab = await page()
    const credentials = 'include'
    expect(await ask(tab, `${await api({ origin: [site.local] })}/data`, { credentials })).toBe(BLOCKED)
    expect(await ask(tab, `${await api({ origin: '*', credentials: true })}/data`, { credentials })).toBe(BLOCKED)
    expect(await ask(tab, `${await api({ origin: '*', credentials: true })}/data`)).toMatchObject({ status: 200 })
  })

  test('MO7: a sandboxed frame, whose origin is null, is on no list', async () => {
    const tab = await page()
    const url = await api({ origin: [site.local] })
    const seen = await tab.evaluate(
      (target) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => resolve(data))
          const frame = document.createElement('iframe')
          frame.sandbox.add('allow-scripts')
          frame.srcdoc = `<script>fetch('${target}').then(() => 'read', () => 'blocked').then((x) => parent.postMessage(x, '*'))</script>`
          document.body.append(frame)
        }),
      `${url}/data`,
    )
    expect(seen).toBe('blocked')
  })
})
