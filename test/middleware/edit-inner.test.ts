import { describe, expect, test, vi } from 'vitest'
import { setCookie } from '../../src/cookie.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { cache } from '../../src/middleware/cache.ts'
import { idempotency } from '../../src/middleware/idempotency.ts'
import { session } from '../../src/middleware/session.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { doors, gate } from '../harness.ts'

const get = () => new Request('http://localhost/')
const post = () => new Request('http://localhost/', { method: 'POST', headers: { 'idempotency-key': 'k' } })

describe.each(doors)('middleware that stores a response, through %s', (_, door) => {
  test.each([
    ['a cookie', (ctx: any) => setCookie(ctx, 'visitor', 'ann')],
    ['Cache-Control', (ctx: any) => onResponse(ctx, ['cache-control', 'no-store'])],
  ])('cache stores no response if an edit behind it sets %s', async (_name, set) => {
    let count = 0
    const behind = (ctx: any, next: any) => {
      onResponse(ctx, () => set(ctx))
      return next()
    }
    const fetch = door({ use: [cache({ maxAge: 60 }), behind], routes: [['GET', '/', () => text(`${++count}`)]] })
    await fetch(get())
    expect(await (await fetch(get())).text()).toBe('2')
  })

  test('idempotency repeats the headers that an edit behind it registers', async () => {
    const behind = (ctx: any, next: any) => {
      onResponse(ctx, () => onResponse(ctx, ['x-made', 'once']))
      return next()
    }
    const fetch = door({
      use: [idempotency({ scope: () => '', store: memoryIdempotency() }), behind],
      routes: [['POST', '/', () => text('done')]],
    })
    const first = await fetch(post())
    const second = await fetch(post())
    expect({ first: first.headers.get('x-made'), second: second.headers.get('x-made') }).toEqual({
      first: 'once',
      second: 'once',
    })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  test.each<[string, () => any, () => Request]>([
    ['cache', () => cache({ maxAge: 60 }), get],
    ['idempotency', () => idempotency({ scope: () => '', store: memoryIdempotency() }), post],
  ])('X7: middleware in front of %s may clone a response without a body', async (_name, store, request) => {
    const front = async (_ctx: any, next: any) => (await next()).clone()
    const fetch = door({ use: [front, store()], routes: [['*', '/', () => json(null, 204)]] })
    const statuses = [await fetch(request()), await fetch(request())].map(({ status }) => status)
    expect(statuses).toEqual([204, 204])
  })

  const outer = (ctx: any, next: any) => {
    onResponse(ctx, (response) => response.headers.set('x-outer', 'there'))
    return next()
  }

  test('a late response leaves the edits of middleware in front alone while the edits of a first response run', async () => {
    const handler = gate()
    const edit = gate()
    const slow = async (ctx: any, next: any) => {
      onResponse(ctx, async () => {
        handler.open()
        await edit.opened
      })
      return next()
    }
    const opens = (_ctx: any, next: any) => next().finally(() => setTimeout(edit.open, 5))
    const fetch = door({
      use: [
        outer,
        cache({ maxAge: 60 }),
        timeout(10),
        opens,
        idempotency({ scope: () => '', store: memoryIdempotency(), methods: ['GET'] }),
        slow,
      ],
      routes: [['GET', '/', () => handler.opened.then(() => text('late'))]],
    })
    const response = await fetch(new Request('http://localhost/', { headers: { 'idempotency-key': 'k' } }))
    expect({ status: response.status, 'x-outer': response.headers.get('x-outer') }).toEqual({
      status: 503,
      'x-outer': 'there',
    })
  })

  test('idempotency frees the key if the handler throws after a timeout', async () => {
    let count = 0
    const store = memoryIdempotency()
    const handler = gate()
    const thrown = gate()
    const fetch = door({
      use: [
        timeout(10),
        idempotency({ scope: () => '', store }),
        (_ctx: any, next: any) => next().finally(() => setTimeout(thrown.open)),
      ],
      routes: [
        [
          'POST',
          '/',
          async () => {
            if (++count > 1) return text('done')
            await handler.opened
            throw new Error('late')
          },
        ],
      ],
    })
    expect((await fetch(post())).status).toBe(503)
    handler.open()
    await thrown.opened
    expect((await fetch(post())).status).toBe(200)
  })

  test('a stream is cancelled if an edit behind idempotency throws', async () => {
    const cancel = vi.fn()
    const behind = (ctx: any, next: any) => {
      onResponse(ctx, () => {
        throw new Error('edit')
      })
      return next()
    }
    const stream = () => new ReadableStream({ cancel })
    const fetch = door({
      use: [idempotency({ scope: () => '', store: memoryIdempotency() }), behind],
      routes: [['POST', '/', () => new Response(stream())]],
    })
    expect((await fetch(post())).status).toBe(500)
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  test('cache stores no response that depends on the new session of another cookie', async () => {
    const secret = 'a secret of more than thirty-two bytes'
    let count = 0
    const visit = (ctx: any, next: any) => {
      ctx.state.session.visitor = ++count
      ctx.state.visitor = count
      return next()
    }
    const fetch = door({
      use: [
        cache({ maxAge: 60 }),
        session({ secret, cookie: { name: 'a' } }),
        visit,
        session({ secret, cookie: { name: 'b' } }),
      ],
      routes: [['GET', '/', (ctx: any) => text(`${ctx.state.visitor}`)]],
    })
    await fetch(get())
    expect(await (await fetch(get())).text()).toBe('2')
  })
})
