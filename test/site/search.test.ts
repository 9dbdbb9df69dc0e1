import { beforeAll, expect, test } from 'vitest'
import { describeBrowser, type Server } from '../browser/browser.ts'
import { site } from './site.ts'

/** What people ask, and a page that answers it. It has to be among the first three. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['how do I upload a file', '/recipes/upload-to-disk'],
  ['remember me', '/recipes/remember-me'],
  ['password hash', '/recipes/password-hashing'],
  ['optional login', '/recipes/optional-auth'],
  ['limit per user', '/recipes/per-user-limits'],
  ['cron', '/recipes/cron'],
  ['tenants subdomain', '/recipes/tenants'],
  ['validation messages language', '/recipes/translated-messages'],
  ['cursor pagination', '/recipes/cursor-pagination'],
  ['csv export', '/recipes/csv-export'],
  ['progress of a job', '/recipes/job-progress'],
  ['work after the response', '/recipes/background-work'],
  ['chat rooms', '/recipes/rooms'],
  ['single-page application', '/recipes/spa'],
  ['proxy', '/proxy'],
  ['secrets in logs', '/recipes/secrets-in-logs'],
  ['test login', '/recipes/test-behind-login'],
  ['refresh token', '/recipes/refresh-tokens'],
  ['login with github', '/recipes/login-with-github'],
  ['webhook stripe', '/recipes/stripe-webhook'],
  ['regenerateSession', '/middleware/session'],
  ['cors', '/middleware/cors'],
  ['trust proxy', '/middleware/trusted-proxy'],
  ['safeParse', '/z'],
  ['openapi', '/openapi'],
  ['websocket', '/realtime'],
]

describeBrowser('the search of the site', ({ open, serve }) => {
  let server: Server
  beforeAll(async () => {
    server = await serve(site())
  })

  test('finds a page for each question among the first three', async () => {
    const page = await open()
    await page.goto(`${server.local}/routing`, { waitUntil: 'networkidle' })
    await page.click('#local-search button')
    const missed: string[] = []
    for (const [question, answer] of QUESTIONS) {
      await page.fill('.VPLocalSearchBox input', '')
      await page.waitForFunction(() => document.querySelectorAll('.results .result').length === 0)
      await page.fill('.VPLocalSearchBox input', question)
      await page.waitForSelector('.results .result', { timeout: 5_000 }).catch(() => undefined)
      const links = await page
        .locator('.results .result')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
      const found = [...new Set(links.map((href) => href.replace(/\.html|#.*/g, '')))].slice(0, 3)
      if (!found.includes(answer)) missed.push(`${question}: ${found.join(' ')}`)
    }
    expect(missed).toEqual([])
  })
})
