import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, request as requestOf, Server, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { text as textOfStream } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { fromNodeMiddleware } from '../../src/from-node-middleware.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import type { ListenOptions } from '../../src/runtime/serve-contract.ts'
import { object, string } from '../../src/z.ts'
import { cert, key } from './certificate.ts'
import { kept } from './serving.ts'
import { eventually, kinds, open, pause, request, statuses, within } from './wire.ts'

const User = object({ name: string() })
const BODY = '{"name":"Ann"}'
const JSON_TYPE = 'Content-Type: application/json'
const head = (target: string, length: number, ...headers: string[]): string =>
  `${[`POST ${target} HTTP/1.1`, 'Host: a', `Content-Length: ${length}`, ...headers].join('\r\n')}\r\n\r\n`

/** An application on a port, and for each request that it got whether its answer came without a promise. */
const start = async (app: { readonly fetch: (...given: any) => unknown }, options: ListenOptions = {}) => {
  const atOnce: boolean[] = []
  const fetch = (...given: any): unknown => {
    const answer = Reflect.apply(app.fetch, app, given)
    atOnce.push(!(answer instanceof Promise))
    return answer
  }
  const { port } = kept(await serve(fetch as never, { port: 0, hostname: '127.0.0.1', graceMs: 200, ...options }))
  return { port: port!, atOnce }
}

const validated = () => createApp().post('/', validateBody(User), (ctx) => json(ctx.state.validated))

const undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.splice(0)) one()
})

/** How tracers have each request run in a store of its own. */
const tracers: Record<string, (local: AsyncLocalStorage<number>, server: typeof Server) => void> = {
  'patches emit': (local, { prototype }) => {
    const { emit } = prototype
    let count = 0
    prototype.emit = function (this: Server, name: any, ...given: any[]) {
      const go = () => Reflect.apply(emit, this, [name, ...given])
      return name === 'request' ? local.run(++count, go) : go()
    } as never
    undo.push(() => Reflect.deleteProperty(prototype, 'emit'))
  },
  'subscribes to the channel': (local) => {
    let count = 0
    const enter = (): void => local.enterWith(++count)
    subscribe('http.server.request.start', enter)
    undo.push(() => unsubscribe('http.server.request.start', enter))
  },
}

describe('NG1: a body that comes with its head', () => {
  test.each<[string, ListenOptions, (typeof kinds)[0][2]]>(kinds.slice(0, 2))(
    'is validated without a promise, each time on one connection (%s)',
    async (_, options, openTo) => {
      const { port, atOnce } = await start(validated(), options)
      const wire = await openTo(port)
      for (let count = 1; count <= 3; count++) {
        wire.write(head('/', BODY.length, JSON_TYPE) + BODY)
        expect((await wire.until((seen) => statuses(seen).length === count)).endsWith(BODY)).toBe(true)
      }
      wire.end()
      expect(atOnce).toEqual([true, true, true])
    },
  )

  test.each([
    ['malformed', '{"name":', 400],
    ['empty', '', 400],
    ['of another shape', '{"name":7}', 422],
  ])('that is %s is refused', async (_, body, status) => {
    const { port } = await start(validated())
    const wire = await open(port)
    wire.write(request('/', { method: 'POST', headers: [JSON_TYPE, `Content-Length: ${body.length}`], body }))
    expect(statuses(await wire.closed())).toEqual([status])
  })

  test('is refused with 413 over the limit, and the connection goes on', async () => {
    const { port } = await start(
      createApp({ bodyLimit: BODY.length - 1 }).post('/', async (ctx) => text(await ctx.text())),
    )
    const wire = await open(port)
    wire.write(`${head('/', BODY.length) + BODY + head('/', 2)}ok`)
    expect(statuses(await wire.until((seen) => seen.endsWith('ok')))).toEqual([413, 200])
    wire.end()
  })

  test.each([
    [
      'readers in any order',
      async (ctx: any) => `${await ctx.text()} ${(await ctx.json()).name} ${(await ctx.arrayBuffer()).byteLength}`,
    ],
    ['the request of the platform', async (ctx: any) => `${await new Request(ctx.request.clone()).text()} Ann 14`],
    ['its stream, then a reader', async (ctx: any) => `${await textOfStream(ctx.request.body as never)} Ann 14`],
    ['a reader after another turn', async (ctx: any) => pause(5).then(async () => `${await ctx.text()} Ann 14`)],
    [
      'a reader, and then its stream',
      async (ctx: any) => `${(await ctx.text()) && (await textOfStream(ctx.request.body as never))} Ann 14`,
    ],
  ])('is read by %s', async (_, read) => {
    const { port } = await start(createApp().post('/', async (ctx) => text(await read(ctx))))
    const wire = await open(port)
    wire.write(head('/', BODY.length) + BODY)
    expect((await wire.until((seen) => /Ann 14$/.test(seen))).endsWith(`${BODY} Ann 14`)).toBe(true)
    wire.end()
  })

  test.each(['read', 'unread', 'read late'])('leaves a message that ends, on an open connection (%s)', async (how) => {
    const seen: IncomingMessage[] = []
    const { port } = await start({
      fetch: (given: Request & { readonly incoming: IncomingMessage }) => {
        seen.push(given.incoming)
        if (how === 'unread') return text('ok')
        return (how === 'read' ? given.text() : pause(1).then(() => given.text())).then(() => text('ok'))
      },
    })
    const wire = await open(port)
    wire.write(head('/', BODY.length) + BODY)
    await wire.until((received) => received.endsWith('ok'))
    await eventually(() => seen[0]!.destroyed, 'the end of the message')
    expect({ count: seen.length, ended: seen[0]!.readableEnded, complete: seen[0]!.complete }).toEqual({
      count: 1,
      ended: true,
      complete: true,
    })
    wire.end()
  })
})

describe('NG1: a body that does not come with its head', () => {
  test.each(Array.from({ length: BODY.length }, (_, at) => at))(
    'is read whole if it is cut after %i bytes',
    async (at) => {
      const { port, atOnce } = await start(validated())
      const wire = await open(port)
      wire.write(head('/', BODY.length, JSON_TYPE) + BODY.slice(0, at))
      await eventually(() => atOnce.length > 0, 'the handler begins')
      expect(atOnce).toEqual([false])
      wire.write(BODY.slice(at))
      expect((await wire.until((seen) => seen.endsWith(BODY))).endsWith(BODY)).toBe(true)
      wire.end()
    },
  )

  test('does not hold back a handler that does not read it', async () => {
    const { port } = await start(createApp().post('/', () => text('refused', 401)))
    const wire = await open(port)
    wire.write(`${head('/', 10)}part`)
    expect(statuses(await wire.until((seen) => seen.endsWith('refused'), 2_000))).toEqual([401])
    wire.end()
  })

  test('of a client that leaves is an error of the reader, whose signal aborts', async () => {
    let outcome: unknown
    let begun = false
    const app = createApp().post('/', async (ctx) => {
      begun = true
      const error = await ctx.text().catch((thrown: Error) => thrown)
      outcome = { status: (error as { status?: number }).status, aborted: ctx.request.signal.aborted }
      return text('')
    })
    const { port } = await start(app)
    const wire = await open(port)
    wire.write(`${head('/', 10)}part`)
    await eventually(() => begun, 'the handler begins')
    wire.reset()
    await eventually(() => outcome !== undefined, 'the outcome')
    expect(outcome).toEqual({ status: 400, aborted: true })
  })

  test('of a client that resets in the same turn still ends its handler', async () => {
    const outcomes: unknown[] = []
    const app = createApp().post('/', async (ctx) => {
      const outcome: unknown = await ctx.text().catch((thrown: Error) => thrown)
      outcomes.push(typeof outcome === 'string' ? outcome : (outcome as { status?: number }).status)
      return text('')
    })
    const { port } = await start(app)
    for (const part of ['', 'part', 'all of it!']) {
      const wire = await open(port)
      wire.write(head('/', 10) + part)
      wire.socket.resetAndDestroy()
    }
    // A reset may come before anything was read: then there is no request
    const wire = await open(port)
    wire.write(`${head('/', 2)}ok`)
    await eventually(() => outcomes.includes('ok'), 'the last one')
    expect(outcomes.filter((one) => one !== 'ok' && one !== 'all of it!' && one !== 400)).toEqual([])
    wire.end()
  })
})

test('NG1: pipelined requests get their own bodies, in order', async () => {
  const app = createApp()
    .post('/', async (ctx) => text(`[${await ctx.text()}]`))
    .post('/late', async (ctx) => pause(5).then(async () => text(`[${await ctx.text()}]`)))
    .post('/unread', () => text('[unread]'))
    .get('/', () => text('[get]'))
  const { port } = await start(app)
  const wire = await open(port)
  const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  wire.write(`${head('/', 1)}a${head('/late', 1)}b${get}${head('/unread', 1)}c${head('/', 0)}${head('/', 1)}`)
  await pause(10)
  wire.write(`d${get}`)
  const seen = await wire.until((received) => received.split('[get]').length === 3)
  expect(seen.match(/\[.*?\]/g)).toEqual(['[a]', '[b]', '[get]', '[unread]', '[]', '[d]', '[get]'])
  wire.end()
})

describe('NG1: Expect: 100-continue', () => {
  test.each(['', BODY])(
    'asks for the body only when it is read, and keeps the connection (body sent: %j)',
    async (sent) => {
      const { port, atOnce } = await start(validated())
      const wire = await open(port)
      wire.write(head('/', BODY.length, JSON_TYPE, 'Expect: 100-continue') + sent)
      await wire.until((seen) => seen.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
      wire.write(BODY.slice(sent.length))
      await wire.until((seen) => seen.endsWith(BODY))
      wire.write(head('/', BODY.length, JSON_TYPE) + BODY)
      expect(statuses(await wire.until((seen) => seen.split(BODY).length === 3))).toEqual([100, 200, 200])
      expect(atOnce).toEqual([false, true])
      wire.end()
    },
  )
})

describe('NG1: Node middleware and a body that came with its head', () => {
  const collects = fromNodeMiddleware((incoming, _outgoing, next) => {
    textOfStream(incoming).then((body) => {
      Object.assign(incoming, { body: JSON.parse(body) })
      next()
    }, next)
  })
  const idle = fromNodeMiddleware((_incoming, _outgoing, next) => next())
  const later = fromNodeMiddleware((incoming, _outgoing, next) => {
    setTimeout(() => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        Object.assign(incoming, { body: JSON.parse(`${Buffer.concat(chunks)}`) })
        next()
      })
    }, 5)
  })
  const answers = fromNodeMiddleware((incoming, outgoing: ServerResponse) => {
    incoming.pipe(outgoing)
  })
  const read = validateBody(User)
  const echo = async (ctx: any) => text(await ctx.text())

  test.each([
    ['reads it', createApp().use(collects).post('/', echo)],
    ['reads it in a later turn', createApp().use(later).post('/', echo)],
    ['leaves it', createApp().use(idle).post('/', echo)],
    ['reads what was read before', createApp().use(read).use(collects).post('/', echo)],
    ['reads it in a later turn, after it was read', createApp().use(read).use(later).post('/', echo)],
    ['reads it after another one', createApp().use(idle).use(collects).use(read).post('/', echo)],
    ['answers with it', createApp().use(answers).post('/', echo)],
    ['answers with what was read before', createApp().use(read).use(answers).post('/', echo)],
  ])('one that %s', async (_, app) => {
    const { port } = await start(app)
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': BODY.length, connection: 'close' }
      const asked = requestOf({ port, host: '127.0.0.1', method: 'POST', headers }, (answer) =>
        textOfStream(answer).then(resolve, reject),
      )
      asked.on('error', reject)
      asked.end(BODY)
    })
    expect(body).toBe(BODY)
  })
})

describe('NG1: what a request runs in', () => {
  const CLIENTS = 3

  /** The stores that handlers saw, before and after they read: of bodies with their heads, then of later ones. */
  const storesOf = async (local: AsyncLocalStorage<number>, enter?: (id: number) => void): Promise<unknown[]> => {
    const seen: { before: number | undefined; after: number | undefined }[] = []
    let begun = 0
    const app = createApp().post('/', async (ctx) => {
      const at = begun++
      const before = local.getStore()
      enter?.(at + 1)
      await ctx.text()
      await pause(1)
      seen.push({ before, after: local.getStore() })
      return text('ok')
    })
    const { port } = await start(app)
    const ask = async (...parts: string[]): Promise<void> => {
      const wires = await Promise.all(Array.from({ length: CLIENTS }, () => open(port)))
      for (const part of parts) {
        for (const wire of wires) wire.write(part)
        await pause(10)
      }
      await Promise.all(wires.map((wire) => wire.until((received) => received.endsWith('ok'))))
      for (const wire of wires) wire.end()
    }
    await ask(`${head('/', 3)}abc`)
    await ask(head('/', 3), 'abc')
    return seen.toSorted((one, other) => Number(one.after) - Number(other.after))
  }

  test.each(Object.entries(tracers))('is the store of a tracer that %s', async (_, trace) => {
    const local = new AsyncLocalStorage<number>()
    trace(local, Server)
    const expected = Array.from({ length: 2 * CLIENTS }, (_, at) => ({ before: at + 1, after: at + 1 }))
    expect(await storesOf(local)).toEqual(expected)
  })

  test('is nothing that a handler of another connection has entered', async () => {
    const local = new AsyncLocalStorage<number>()
    const expected = Array.from({ length: 2 * CLIENTS }, (_, at) => ({ before: undefined, after: at + 1 }))
    expect(await storesOf(local, (id) => local.enterWith(id))).toEqual(expected)
  })

  test('is nothing that an earlier request of another connection has entered', async () => {
    const local = new AsyncLocalStorage<number>()
    const seen: unknown[] = []
    const app = createApp().post('/:id', (ctx) => {
      seen.push(local.getStore())
      local.enterWith(Number(ctx.params.id))
      return text('ok')
    })
    const { port } = await start(app)
    const [one, other] = [await open(port), await open(port)]
    one.write(`${head('/1', 1)}a`)
    await one.until((received) => received.endsWith('ok'))
    one.write(head('/1', 1))
    other.write(head('/2', 1))
    await other.until((received) => received.endsWith('ok'))
    await eventually(() => seen.length === 3, 'all requests')
    expect(seen[2]).toBe(undefined)
    one.end()
    other.end()
  })

  test('is what listen was called in', async () => {
    const local = new AsyncLocalStorage<number>()
    const expected = Array.from({ length: 2 * CLIENTS }, () => ({ before: 7, after: 7 }))
    expect(await local.run(7, () => storesOf(local))).toEqual(expected)
  })
})

test('NG1: a request of HTTP/2 begins as before, and its HTTP/1.1 too', async () => {
  const { port, atOnce } = await start(validated(), { tls: { key, cert }, http2: true })
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const stream = session.request({ ':path': '/', ':method': 'POST', 'content-type': 'application/json' })
  stream.end(BODY)
  expect(await within(5_000, textOfStream(stream), 'the answer')).toBe(BODY)
  session.close()
  const wire = await kinds[2]![2](port)
  wire.write(head('/', BODY.length, JSON_TYPE) + BODY)
  await wire.until((seen) => seen.endsWith(BODY))
  wire.end()
  expect(atOnce).toEqual([false, false])
})
