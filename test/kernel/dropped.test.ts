import { afterEach, describe, expect, test, vi } from 'vitest'
import { cors } from '../../src/middleware/cors.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

afterEach(() => vi.restoreAllMocks())

const soon = (ms = 3): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {})
const streamed = (cancel: () => void): Response => new Response(new ReadableStream({ cancel }))

describe.each(doors)('what nobody gets, through %s', (_, door) => {
  test('DESIGN 4.6: an onError whose response was read already ends as one 500, also with edits', async () => {
    const log = quiet()
    const used = new Response('gone')
    await used.text()
    const fetch = door({
      use: [cors()],
      onError: () => used,
      routes: [
        [
          'GET',
          '/',
          () => {
            throw new Error('first')
          },
        ],
      ],
    })
    expect((await fetch('/')).status).toBe(500)
    expect(log.mock.calls.map(([error]) => (error as Error).name)).not.toContain('RangeError')
  })

  test('DESIGN 4.6: a late body that comes at once, and one that is thrown later, are cancelled', async () => {
    quiet()
    const cancel = vi.fn()
    const early = (_: any, next: any) => {
      soon()
        .then(next)
        .catch(() => {})
      return text('early')
    }
    const fetch = door({
      use: [early],
      routes: [
        ['GET', '/returned', () => streamed(cancel)],
        ['GET', '/rejected', () => Promise.reject(streamed(cancel))],
      ],
    })
    for (const path of ['/returned', '/rejected']) expect(await (await fetch(path)).text()).toBe('early')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(2))
  })

  test('DESIGN 4.6: HEAD drops a body of the platform, also of an asynchronous handler', async () => {
    const cancel = vi.fn()
    const fetch = door({ routes: [['GET', '/', async () => streamed(cancel)]] })
    const response = await fetch(new Request('http://localhost/', { method: 'HEAD' }))
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: null })
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
  })

  test('DESIGN 4.1: parameters that prepare() writes before there are any reach no other request', async () => {
    quiet()
    const writes = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        ctx.params.id = 'other'
      },
    })
    const seen: unknown[] = []
    const routes = [['GET', '/x', (ctx: any) => text(String(seen.push(ctx.params.id)))]] as const
    await door({ use: [writes], routes: routes as never })('/x')
    expect((await door({ routes: routes as never })('/x')).status).toBe(200)
    expect(seen.at(-1)).toBe(undefined)
  })

  test('DESIGN 4.2: a guard whose pattern has a character that paths escape covers every form of the path', async () => {
    const fetch = door({
      use: [['/f/x^/secret', () => text('no', 403)]],
      routes: [
        ['GET', '/f/:name', () => text('open')],
        ['GET', '/f/x^/secret', () => text('secret')],
      ],
    })
    for (const path of ['/f/x%5E/secret', '/f/x%5e%2Fsecret', '/f/x%5E%2fsecret/'])
      expect({ path, status: (await fetch(path)).status }).toEqual({ path, status: 403 })
  })

  test('DESIGN 4.5: an onRefusal that gives nothing at a deadline is a 500, and the request ends', async () => {
    quiet()
    const fetch = door({
      use: [timeout(2)],
      onRefusal: () => undefined as never,
      routes: [['GET', '/', () => soon(30).then(() => text('late'))]],
    })
    expect((await fetch('/')).status).toBe(500)
  })

  test('MX4: a timeout that another middleware calls by hand is an error that says where it belongs', async () => {
    const log = quiet()
    const limit = timeout(1000)
    const fetch = door({ use: [(ctx, next) => limit(ctx, next)], routes: [['GET', '/', () => text('x')]] })
    expect((await fetch('/')).status).toBe(500)
    expect(String(log.mock.calls[0]?.[0])).toMatch(/^TypeError: timeout: expected a place in use\(\) or in a route/)
  })
})
