import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { presets } from '../../site/playground/src/presets.ts'
import { describeBrowser, type Server } from '../browser/browser.ts'
import { root, settled, site, watch } from './site.ts'

/** Bytes as `npm run size` has them: esbuild, minified, conditions of the edge, gzip -9. */
const bytesOf = async (contents: string): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    tsconfigRaw: '{}',
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

/** What each preset answers: its status, and a part of its body. */
const ANSWERS: Readonly<Record<string, readonly [status: string, part: string]>> = {
  Hello: ['200 OK', '"hello": "ann"'],
  'Hello, in functions': ['200 OK', '"hello": "ann"'],
  'Validated POST, beside valibot': ['422 Unprocessable Content', '"error": "Validation failed"'],
  'Validated POST, beside zod/mini': ['422 Unprocessable Content', '"error": "Validation failed"'],
  'CORS and security headers': ['200 OK', '"name": "tea"'],
  'Server-sent events': ['200 OK', 'data: {"tick":1}'],
  'A session': ['200 OK', '"count": 1'],
  OpenAPI: ['200 OK', '"openapi": "3.1'],
}

const sizeOn = async (page: Page): Promise<number> =>
  Number((await page.locator('#mine').textContent())?.replace(/\D/g, ''))

/** Type a program into the editor, and wait for its size. */
const enter = async (page: Page, program: string): Promise<void> => {
  await page.evaluate((text) => window.playground!.replace(text), program)
  await page.waitForFunction((text) => window.playground!.shown.sized === text, program)
}

describeBrowser('the playground in Chromium', ({ open, serve }) => {
  let server: Server
  beforeAll(async () => {
    server = await serve(site())
  })

  test('each preset has its answer', () => {
    expect(Object.keys(ANSWERS)).toEqual(presets.map(({ name }) => name))
  })

  test('each preset answers, and weighs what npm run size measures, beside the same in hono', async () => {
    const page = await open()
    const seen = watch(page)
    await page.goto(`${server.local}/playground/`)
    await settled(page)
    expect(await seen.bytes()).toBeLessThan(5_000_000)
    for (const [at, { name, code, compare }] of presets.entries()) {
      const [status, part] = ANSWERS[name]!
      await page.selectOption('#preset', String(at))
      await page.waitForFunction((text) => window.playground!.shown.split === text, code)
      await page.waitForFunction((text) => document.querySelector('#output')?.textContent?.includes(text), part)
      const expected = await bytesOf(code)
      const other = (await page.locator('#other').textContent()) ?? ''
      expect({
        name,
        status: (await page.locator('#status').textContent())?.startsWith(status),
        isWithinOnePerCent: Math.abs((await sizeOn(page)) - expected) / expected < 0.01,
        isCompared: /^[\d,]+ B$/.test(other),
        isSplit: (await page.locator('#modules details').count()) > 3,
      }).toEqual({
        name,
        status: true,
        isWithinOnePerCent: true,
        isCompared: /^\s*import /m.test(compare),
        isSplit: true,
      })
    }
    expect({ problems: seen.problems, hosts: [...seen.hosts] }).toEqual({ problems: [], hosts: ['localhost'] })
  })

  test('a program of size-limit.json weighs the same here', async () => {
    const page = await open()
    await page.goto(`${server.local}/playground/`)
    await settled(page)
    const program = readFileSync(`${root}test/package/entries/tiny.mjs`, 'utf8')
    await enter(page, program)
    const expected = await bytesOf(program)
    expect(Math.abs((await sizeOn(page)) - expected) / expected).toBeLessThan(0.01)
  })

  test('the build with checks is larger, and its messages say what to do', async () => {
    const page = await open()
    await page.goto(`${server.local}/playground/`)
    await settled(page)
    const production = await sizeOn(page)
    await enter(
      page,
      "import { createApp } from 'sluice/tiny'\nimport { cors } from 'sluice/middleware/cors'\nexport default createApp().use(cors({ orgin: '*' } as {})).get('/', (ctx) => ctx.text('x'))\n",
    )
    await page.selectOption('#build', 'checks')
    await page.waitForFunction(() => document.querySelector('#status')?.textContent?.includes('orgin'))
    expect(await page.locator('#status').textContent()).toContain('did you mean')
    expect(await sizeOn(page)).toBeGreaterThan(production)
  })

  test('errors of syntax and of types are shown with their line', async () => {
    const page = await open()
    await page.goto(`${server.local}/playground/`)
    await settled(page)
    await enter(page, "import { createApp } from 'sluice/tiny'\n\nexport default createApp(.get('/', 1)\n")
    expect(await page.locator('#errors').textContent()).toMatch(/^Error, line 3: /)
    await page.check('#types')
    await enter(
      page,
      "import { createApp } from 'sluice/tiny'\n\nexport default createApp().get('/:id', (ctx) => ctx.text(ctx.params.ib))\n",
    )
    await page.waitForFunction(
      () => window.playground!.shown.checked && document.querySelector('#errors')?.textContent?.startsWith('Type'),
    )
    expect(await page.locator('#errors').textContent()).toMatch(/^Type, line 3: Property 'ib' does not exist/)
  })

  test('a shared address opens the same program and request', async () => {
    const page = await open()
    await page.goto(`${server.local}/playground/`)
    await settled(page)
    await enter(
      page,
      "import { createApp } from 'sluice/tiny'\nexport default createApp().get('/shared', (ctx) => ctx.text('shared ü'))\n",
    )
    await page.fill('#path', '/shared')
    await page.click('#share')
    await page.waitForFunction(() => location.hash.startsWith('#s='))
    const again = await open()
    await again.goto(page.url())
    await settled(again)
    expect(await again.locator('#output').textContent()).toBe('shared ü')
  })

  test.each([
    ['an endless loop in a handler is stopped', 'get("/", () => { for (;;); })', /Stopped/],
    [
      'no connection leaves the page',
      'get("/", async (ctx) => ctx.text(await fetch("/llms.txt").then(() => "reached", () => "blocked")))',
      /blocked/,
    ],
    [
      'text is not evaluated',
      'get("/", (ctx) => { try { return ctx.text(`${new Function("return 1")()}`) } catch { return ctx.text("blocked") } })',
      /blocked/,
    ],
    [
      'nothing of the page can be kept',
      'get("/", (ctx) => ctx.text([typeof indexedDB, typeof caches, typeof localStorage].join()))',
      /undefined,undefined,undefined/,
    ],
  ])('%s', async (_, route, shown) => {
    const page = await open()
    await page.goto(
      `${server.local}/playground/#${new URLSearchParams({ code: `import { createApp } from 'sluice/tiny'\nexport default createApp().${route}\n` })}`,
    )
    await page.waitForFunction(
      (pattern) => new RegExp(pattern).test(document.querySelector('.answer')?.textContent ?? ''),
      shown.source,
    )
    expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
  })
})
