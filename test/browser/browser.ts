import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Debian's Chromium; `SLUICE_CHROMIUM` says otherwise. */
const executablePath = process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium'

/** No sandbox, as tests run as root in containers, and nothing that calls home. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What a test in a browser works with. */
export interface Tab {
  /** A new page in a fresh profile, closed after the test. */
  open(): Promise<Page>
  /** Serve an application on a free port until the tests of the group are over. */
  serve(app: Served): Promise<Server>
}

/** A listening application, by two names that are two sites to a browser. */
export interface Server {
  readonly port: number
  /** `http://localhost:…` */
  readonly local: string
  /** `http://127.0.0.1:…`: the same server, another site */
  readonly other: string
}

/** What can be served. */
export interface Served {
  listen(port: number): Promise<{ readonly port: number | undefined; close(): Promise<void> }>
}

/**
 * Group tests that need a real browser. They run where Chromium is, and are skipped, with the reason in the title, where it is
 * not; with `SLUICE_REQUIRE_SERVICES=1` a missing browser is a failure.
 *
 * @example
 * describeBrowser('a page', ({ open, serve }) => {
 *   test('has a title', async () => { await (await open()).goto((await serve(app)).local) })
 * })
 */
export const describeBrowser = (title: string, body: (tab: Tab) => void): void => {
  const reason = existsSync(executablePath) ? undefined : `no Chromium at ${executablePath}: apt-get install chromium`
  if (reason && process.env.SLUICE_REQUIRE_SERVICES === '1') test(title, () => expect.fail(reason))
  else if (reason) describe.skip(`${title} (skipped: ${reason})`, () => body({ open, serve }))
  else describe(title, () => body(withBrowser()))
}

const withBrowser = (): Tab => {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all(closing.map((close) => close()))
  })
  return {
    async open() {
      const context = await browser.newContext()
      contexts.push(context)
      // The machine may be busy with other tests
      context.setDefaultTimeout(90_000)
      return context.newPage()
    },
    async serve(app) {
      const server = await app.listen(0)
      closing.push(() => server.close())
      const port = server.port!
      return { port, local: `http://localhost:${port}`, other: `http://127.0.0.1:${port}` }
    },
  }
}

const open = (): Promise<Page> => Promise.reject(new Error('no browser'))
const serve = (): Promise<Server> => Promise.reject(new Error('no browser'))
