import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freePort } from '../../generators/dev/port.ts'
import { watchQueries } from '../../generators/dev/queries.ts'
import { createDatabase } from '../../src/database.ts'
import { createApp, html, json } from '../../src/index.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { inspected } from '../generators/inspector.ts'
import { describeBrowser } from './browser.ts'
import { faintTexts, overflows, SCREENS, shoot, watchOn } from './screens.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A shop window of what the inspector can show, behind helmet as it is. */
const shop = async (started = 'one', port?: number, greeting = 'hello') => {
  const app = createApp({
    config: { app: { name: 'shop' }, database: { url: 'postgres://root:hunter2@localhost/shop' } },
  })
  app.use(async function requestLog(_, next) {
    await pause(2)
    return next()
  })
  app.use(helmet())
  app.use('/admin/*', async function requireAdmin(_, next) {
    await pause(4)
    return next()
  })
  app.get('/', () => html(`<!doctype html><title>shop</title><h1>${greeting}</h1>`))
  app.get('/products/:id', async function showProduct(ctx) {
    await pause(12)
    return json({ id: ctx.params.id })
  })
  const db = createDatabase('sqlite::memory:')
  await sql`create table orders (item text, price integer)`.execute(db)
  watchQueries(db)
  app.post('/orders', async function storeOrder(ctx) {
    const { item = 'tea' } = await ctx.json<{ item?: string }>()
    await db.insertInto('orders').values({ item, price: 3 }).execute()
    const where = db.selectFrom('orders').selectAll().where('item', 'in', [item, 'coffee', 'chocolate', 'biscuits'])
    return json({ made: { item, token: 'hunter4' }, all: await where.orderBy('price').execute() }, 201)
  })
  app.get('/events', (ctx) =>
    ctx.sse(async (send) => {
      await send({ event: 'price', data: '{"item":"tea","price":3,"token":"hunter5"}' })
      await new Promise(() => {})
    }),
  )
  app.get('/admin/reports', () => {
    throw new TypeError("Cannot read properties of undefined (reading '<img src=x onerror=alert(1)>')")
  })
  const free = port ?? (await freePort(25_000 + (process.pid % 1000), 'localhost'))
  const end = inspected(app, { port: free, started })
  const server = await app.listen({ port: free, hostname: 'localhost' })
  const close = () => {
    end()
    return Promise.all([server.close(), db.destroy()])
  }
  return { local: `http://localhost:${free}`, port: free, close }
}

describeBrowser('the inspector in Chromium', ({ open }) => {
  test.each(SCREENS)('NE6, FX1: %s, %ipx, %i high, %s: everything is shown and nothing runs', async (...screen) => {
    const [device, , , scheme] = screen
    const { local, close } = await shop()
    try {
      const tab = await open()
      const watched = await watchOn(tab, local, screen)
      const look = async (name: string) => {
        await shoot(tab, `${device}-${scheme}-${name}`)
        expect(await overflows(tab, screen)).toBe(false)
        expect(await faintTexts(tab)).toEqual([])
      }
      await tab.goto(`${local}/__sluice`)
      await tab.getByText('None yet').waitFor()
      await look('empty')

      // The list follows by itself
      const headers = { 'content-type': 'application/json', authorization: 'Bearer hunter1' }
      await fetch(`${local}/orders?ref=${'a-long-reference-'.repeat(8)}`, {
        method: 'POST',
        headers,
        body: '{"item":"<b>tea</b>"}',
      })
      for (const path of ['/products/7', '/products/8?colour=red', '/nowhere', '/admin/reports?token=hunter2'])
        await fetch(local + path)
      await tab.getByText('/admin/reports').waitFor()
      expect(await tab.locator('tbody tr').count()).toBe(5)
      await look('requests')

      await tab.getByText('/admin/reports').click()
      await tab.getByRole('heading', { name: 'Error' }).waitFor()
      expect(await tab.locator('.steps tbody tr').count()).toBe(4)
      expect(await tab.locator('main img').count()).toBe(0)
      await look('error')

      await tab.goto(`${local}/__sluice/requests/1`)
      await tab.getByRole('button', { name: 'Send it again' }).click()
      await tab.getByRole('heading', { name: 'Response body' }).waitFor()
      expect(await tab.locator('main').textContent()).toContain('"item": "<b>tea</b>",\n    "token": "(hidden)"')
      expect(await tab.locator('main').textContent()).toContain('2 statements')
      expect(await tab.locator('main').textContent()).not.toContain('hunter')
      await look('again')

      await tab.getByRole('link', { name: 'Requests' }).click()
      await tab.getByRole('searchbox').fill('post 201')
      await tab.getByRole('button', { name: 'Filter' }).click()
      await tab.waitForURL('**find=post+201')
      expect(await tab.locator('tbody tr').count()).toBe(2)
      // The list that follows by itself keeps the filter
      await fetch(`${local}/products/9`)
      await tab.locator('h1').click()
      await pause(1500)
      expect(await tab.locator('tbody tr').count()).toBe(2)
      await look('filter')
      await tab.getByRole('button', { name: 'Clear' }).click()
      await tab.getByText('None yet').waitFor()

      // A stream is listed when it begins, and has its time when it has ended
      const events = await fetch(`${local}/events`)
      await tab.getByRole('cell', { name: 'open', exact: true }).waitFor()
      await look('stream-open')
      await events.body?.cancel()
      await tab.getByRole('cell', { name: /^[\d.]+ m?s$/ }).waitFor()
      await tab.getByRole('link', { name: '/events' }).click()
      await tab.getByText('data: {"item":"tea","price":3,"token":"(hidden)"}').waitFor()
      await look('stream')

      await tab.getByRole('link', { name: 'Routes' }).click()
      await tab.getByLabel('Path', { exact: true }).fill('/admin/reports')
      await tab.getByRole('button', { name: 'Show' }).click()
      await tab.locator('ol li').first().waitFor()
      expect(await tab.locator('ol li').allInnerTexts()).toEqual([
        'requestLog',
        'helmet',
        // It covers the route for certain, so it is in the chain without its pattern
        'requireAdmin',
        expect.stringContaining('GET /admin/reports'),
      ])
      await look('routes')

      await tab.getByRole('link', { name: 'Application' }).click()
      await tab.getByText('postgres://root:(hidden)@localhost/shop').waitFor()
      await look('application')
      expect(watched).toEqual({ complaints: [], foreign: [] })
    } finally {
      await close()
    }
  })

  test('P27: a page with helmet reloads when the application has restarted, and not before', async () => {
    const first = await shop('one')
    const tab = await open()
    await tab.goto(first.local)
    expect(await tab.locator('h1').textContent()).toBe('hello')
    let loads = 0
    tab.on('load', () => void loads++)
    await pause(300)
    expect(loads).toBe(0)
    await first.close()
    const second = await shop('two', first.port, 'hello again')
    try {
      await tab.getByText('hello again').waitFor()
    } finally {
      await second.close()
    }
  })

  test('F6: a page of another site gets nothing of it and starts nothing', async () => {
    const app = await shop()
    const evil = createApp().get('/', () => html('<!doctype html><title>evil</title>'))
    const server = await evil.listen({ port: 0, hostname: '127.0.0.1' })
    try {
      await fetch(`${app.local}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      const tab = await open()
      await tab.goto(`http://127.0.0.1:${server.port}/`)
      const seen = await tab.evaluate(async (local) => {
        const read = await fetch(`${local}/__sluice`).then(
          (response) => response.text(),
          () => 'refused',
        )
        await fetch(`${local}/__sluice/requests/1/repeat`, { method: 'POST', mode: 'no-cors' }).catch(() => {})
        const script = document.createElement('script')
        script.src = `${local}/__sluice/inspector.js`
        const loaded = await new Promise((resolve) => {
          script.onload = () => resolve('loaded')
          script.onerror = () => resolve('refused')
          document.head.append(script)
        })
        return { read, loaded }
      }, app.local)
      expect(seen).toEqual({ read: 'refused', loaded: 'refused' })
      const list = await (await fetch(`${app.local}/__sluice`)).text()
      expect(list.match(/>\/orders</g)).toHaveLength(1)
    } finally {
      await server.close()
      await app.close()
    }
  })
})
