import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bytesOf } from '#runtime/core'
import { json } from '../../src/respond/json.ts'
import { redirect } from '../../src/respond/redirect.ts'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'
import { exchange, listen, open, parse, pause, request, statuses } from '../node/wire.ts'

/** Each test is named after the advisory, CVE or issue whose class it shows us immune to. */
const unhandled = vi.fn()
process.on('unhandledRejection', unhandled)
afterAll(() => {
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe.each(doors)('router, %s', (_, door) => {
  const guard = (ctx: any, next: any) => (ctx.header('authorization') ? next() : text('no', 401))
  const guarded = door({
    use: [['/admin/*', guard]],
    routes: [
      ['GET', '/admin/:page', (ctx) => text(`secret ${ctx.params.page}`)],
      ['GET', '/*path', (ctx) => json(ctx.params)],
    ],
  })

  test.each([
    ['CVE-2026-39406', '//admin/x'],
    ['CVE-2026-39406', '/admin//x'],
    ['GHSA-wc8c-qw6v-h7f6', '/admin%2Fx'],
    ['GHSA-wc8c-qw6v-h7f6', '/%2Fadmin/x'],
    ['CVE-2026-29045', '/%61dmin/x'],
    ['CVE-2026-29045', '/%2561dmin/x'],
    ['GHSA-72gr-qfp7-vwhw', '/x/%2e%2e/admin/x'],
    ['GHSA-72gr-qfp7-vwhw', '/x/%252e%252e/admin/x'],
    ['srvx CVE-2026-33732', '/x/../admin/x'],
    ['case', '/ADMIN/x'],
    ['a trailing slash', '/admin/x/'],
    ['a path parameter', '/admin;a=b/x'],
    ['a query', '/admin/x?y'],
    ['a fragment', '/admin/x#y'],
    ['a backslash', '\\admin\\x'],
  ])('%s: no spelling of the path reaches the route past its middleware: %s', async (_, path) => {
    const response = await guarded(
      new Request(new URL(`http://localhost/${path.slice(1)}`.replace('http://localhost/\\', 'http://localhost/'))),
    )
    expect(await response.text()).not.toContain('secret')
  })

  test('CVE-2026-47676: an escaped prefix is not the prefix', async () => {
    const fetch = door({ basePath: '/api', routes: [['GET', '/x', () => text('x')]] })
    for (const path of ['/%61pi/x', '/api%2Fx', '/apix', '//api/x', '/API/x'])
      expect((await fetch(path)).status).toBe(404)
  })

  test.each(['CVE-2024-45296', 'CVE-2024-52798', 'CVE-2026-4926', 'CVE-2026-4923', 'CVE-2024-45813'])(
    '%s: no pattern costs more than the length of its path',
    async () => {
      const fetch = door({
        use: [['/:a/:b/:c/:d/*', (_, next) => next()]],
        routes: [
          ['GET', '/:a/:b/:c/:d/e', () => text('')],
          ['GET', '/a/:b/c/:d/e/:f', () => text('')],
        ],
      })
      for (const unit of ['a-', 'a/', '%2f'])
        await expectLinear(96_000, (size) => `/${unit.repeat(size / unit.length)}`, fetch)
    },
  )

  test.each(['CVE-2024-45296', 'CVE-2026-4926'])(
    '%s: groups, options and several names in a segment are refused, so none can be slow',
    (_) => {
      for (const path of ['/:a-:b', '/:a(.*)', '/:a?', '/:a+', '/:a*', '/*a*b', '/a*/b']) {
        expect(() => door({ routes: [['GET', path, () => text('')]] })).toThrow(TypeError)
      }
    },
  )

  test('node-server #123: no wildcard gives dot segments or a slash that was escaped', async () => {
    const fetch = door({ routes: [['GET', '/f/*path', (ctx) => text(ctx.params.path)]] })
    for (const path of ['/f/a/../../etc', '/f/..%2f..%2fetc', '/f/%2e%2e/x', '/f/a%2Fb', '/f/%252e%252e%252fetc']) {
      const found = await (await fetch(path)).text()
      expect(found.split('/')).not.toContain('..')
    }
  })
})

describe('Node adapter', () => {
  let server: ServerHandle
  let port: number
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeAll(async () => {
    server = await listen({
      '/url': (ctx) => text(ctx.request.url),
      '/admin': (ctx) => (ctx.header('authorization') ? text('secret') : text('no', 401)),
      '/echo': async (ctx) => text(await ctx.text()),
      '/limit': async (ctx) => text(String((await bytesOf(ctx.request, 100)).byteLength)),
      '/endless': () =>
        stream(async function* () {
          for (;;) {
            yield 'x'
            await pause(1)
          }
        }),
      '/broken': () =>
        stream(async function* () {
          yield 'x'
          throw new Error('broken')
        }),
      '/throws': () => {
        throw new Error('x')
      },
      '/events': (ctx) =>
        sse((send) => {
          for (const data of [ctx.query.get('data')]) void send({ data })
        }),
      '/redirect': (ctx) => redirect(ctx.query.get('to')),
      '/status': () => new Response('', { status: 99 }),
    })
    port = server.port!
  })
  afterAll(async () => {
    await server.close()
    log.mockRestore()
  })
  const alive = async () => expect(statuses(await exchange(port, request('/url')))).toEqual([200])

  test.each(['CVE-2026-33732', 'standard-server #85'])(
    'srvx %s: an absolute target takes the same way as a path',
    async () => {
      for (const target of [
        'http://localhost/admin',
        'http://evil.test/admin',
        'HTTP://localhost/admin',
        'http://localhost/x/../admin',
      ]) {
        expect(statuses(await exchange(port, request(target)))).toEqual([401])
      }
    },
  )

  test('srvx #191, CVE-2026-27959: a bad Host is a 400 and never becomes a path', async () => {
    for (const host of ['a b', 'a/url?', 'a#', 'a\\b', '@', ':', '[', 'a@b', 'evil.test:80@a']) {
      expect(
        statuses(await exchange(port, `GET /none HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)),
      ).toEqual([400])
    }
    await alive()
  })

  test('srvx #206: OPTIONS *', async () => {
    expect(statuses(await exchange(port, request('*', { method: 'OPTIONS' })))).toEqual([404])
    await alive()
  })

  test.each(['hono #1480', 'hono #4081', 'node-server #239', 'node-server #388'])(
    '%s: the server still responds after clients have reset their requests',
    async () => {
      for (const path of ['/endless', '/broken', '/throws', '/events?data=x', '/echo']) {
        const wire = await open(port)
        wire.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx`)
        await pause(5)
        wire.socket.resetAndDestroy()
      }
      await pause(20)
      await alive()
    },
  )

  test('node-server #217, CVE-2026-25224: the source is cancelled, and not read ahead of a client that does not read', async () => {
    let made = 0
    const cancel = vi.fn()
    const own = await serve(
      () =>
        stream(
          () =>
            new ReadableStream({
              pull(c) {
                made += 65_536
                c.enqueue(new Uint8Array(65_536))
              },
              cancel,
            }),
        ),
      { port: 0, hostname: '127.0.0.1', graceMs: 100 },
    )
    const wire = await open(own.port!)
    wire.socket.pause()
    wire.write(request('/'))
    await pause(150)
    const held = made
    await pause(100)
    expect(made).toBe(held)
    expect(held).toBeLessThan(32 * 1024 * 1024)
    wire.end()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
    await own.close()
  })

  test.each(['GHSA-92vj-g62v-jqhh', 'CVE-2026-44456', 'GHSA-rv63-4mwf-qqc2'])(
    '%s: the limit counts bytes, whatever Content-Length says',
    async () => {
      const chunked = `${'32\r\n'}${'x'.repeat(50)}\r\n`.repeat(3)
      expect(
        statuses(
          await exchange(
            port,
            request('/limit', { method: 'POST', headers: ['Transfer-Encoding: chunked'], body: `${chunked}0\r\n\r\n` }),
          ),
        ),
      ).toEqual([413])
      expect(
        statuses(
          await exchange(
            port,
            request('/limit', { method: 'POST', headers: ['Content-Length: 101'], body: 'x'.repeat(101) }),
          ),
        ),
      ).toEqual([413])
      expect(
        statuses(
          await exchange(
            port,
            request('/limit', { method: 'POST', headers: ['Content-Length: 100'], body: 'x'.repeat(100) }),
          ),
        ),
      ).toEqual([200])
    },
  )

  test.each([
    'CVE-2021-22959',
    'CVE-2021-22960',
    'CVE-2022-32213',
    'CVE-2022-32214',
    'CVE-2022-32215',
    'GHSA-mp2g-9vg9-f4cg',
  ])('%s: framing that two readers could read in two ways is refused', async () => {
    const start = 'POST /echo HTTP/1.1\r\nHost: a\r\n'
    for (const rest of [
      'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding: chunkedchunked\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding: identity, chunked, x\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
      'Content-Length: 1\rX: y\r\n\r\nx',
      'X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n+1\r\nx\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n1_0\r\nx\r\n0\r\n\r\n',
    ]) {
      const wire = await open(port)
      wire.write(start + rest)
      wire.socket.end()
      await wire.closed()
      expect({ rest, accepted: statuses(wire.text()).filter((status) => status < 400) }).toEqual({ rest, accepted: [] })
    }
  })

  test.each(['CVE-2026-33128', 'GHSA-4hxc-9384-m385', 'GHSA-p6xx-57qc-3wxr', 'CVE-2026-35515'])(
    '%s: what a client sends makes no field of an event',
    async () => {
      for (const end of ['%0A', '%0D', '%0D%0A']) {
        const { body } = parse(await exchange(port, request(`/events?data=a${end}event:evil${end}${end}data:evil`)))
        const lines = body.split(/\r\n|\r|\n/).filter((line) => /^(event|id|retry|data)/.test(line))
        expect(lines.every((line) => line.startsWith('data: '))).toBe(true)
        expect(lines).toHaveLength(4)
      }
    },
  )

  test('GHSA-j6c9-x7qj-28xf: CR and LF in Location are refused with 500', async () => {
    for (const to of ['/%0d%0aset-cookie:a=b', '/%0aset-cookie:a=b']) {
      const answer = await exchange(port, request(`/redirect?to=${to}`))
      expect({ statuses: statuses(answer), cookieSet: /set-cookie/i.test(answer) }).toEqual({
        statuses: [500],
        cookieSet: false,
      })
    }
  })

  test('a status that the platform refuses is a 500', async () => {
    expect(statuses(await exchange(port, request('/status')))).toEqual([500])
    await alive()
  })

  test('headers of 12 kB of nonsense are answered in linear time', async () => {
    for (const name of ['Cookie', 'Accept', 'Content-Type', 'X-Forwarded-For', 'Accept-Encoding', 'Host2']) {
      for (const part of [';', ',', 'a=b;', '"', '\\', 'a,', '%', ' ', 'q=0.1;']) {
        await expectLinear(
          12_000,
          (size) => request('/echo', { headers: [`${name}: ${part.repeat(size / part.length)}x`] }),
          async (bytes) => expect(statuses(await exchange(port, bytes))).toEqual([200]),
        )
      }
    }
  })
})
