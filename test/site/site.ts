import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { createApp } from '../../src/app.ts'
import { serveStatic } from '../../src/static.ts'

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
/** What `npm run site` has written. */
export const dist = `${root}site/dist/`

if (!existsSync(dist)) throw new Error('The site is not built: npm run site')

/** The built site as a server of ours: a page is found without its extension. */
export const site = () => createApp().use(serveStatic({ root: dist, extensions: ['html'] }))

/** The pages of the site, by their paths. */
export const pages = (): string[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html' && !name.startsWith('playground/'))
    .map((name) => `/${name.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`)
    .sort()

/** The HTML of a page. */
export const htmlOf = (path: string): string =>
  readFileSync(`${dist}${path.endsWith('/') ? `${path}index` : path}.html`, 'utf8')

/** What went wrong on a page, which other hosts it asked, and how many bytes it loaded, compressed. */
export interface Seen {
  readonly problems: string[]
  readonly hosts: Set<string>
  bytes(): Promise<number>
}

/** Watch a page from now on. */
export const watch = (page: Page): Seen => {
  const problems: string[] = []
  const hosts = new Set<string>()
  const bodies: Promise<number>[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(?:blob|data):/.test(request.url())) hosts.add(new URL(request.url()).hostname)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
    const weighed = response.body().then(
      (body) => gzipSync(body, { level: 9 }).length,
      () => 0,
    )
    bodies.push(weighed)
  })
  return {
    problems,
    hosts,
    bytes: async () => (await Promise.all(bodies)).reduce((sum, size) => sum + size, 0),
  }
}

declare global {
  interface Window {
    /** What the playground shows to its tests. */
    readonly playground?: {
      replace(text: string): void
      readonly shown: Partial<Record<'sized' | 'split' | 'checked', string>>
    }
  }
}

/** Wait until the playground has bundled, measured and answered. */
export const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () => window.playground?.shown.split && /^\d/.test(document.querySelector('#status')?.textContent ?? ''),
    undefined,
    { timeout: 60_000 },
  )
