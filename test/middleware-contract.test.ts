import { describe, expect, test, vi } from 'vitest'
import { HttpError } from '../src/errors.ts'
import { compose } from '../src/kernel/compose.ts'
import { BaseContext } from '../src/kernel/context.ts'
import { onResponse } from '../src/kernel/edits.ts'
import { text } from '../src/respond/text.ts'
import { createRouter } from '../src/router.ts'
import { doors } from './harness.ts'

describe.each(doors)('%s', (_, door) => {
  const ok = [['GET', '/', () => text('ok')]] as const

  test('MW1: the first registered is the outermost', async () => {
    const seen: string[] = []
    const step = (name: string) => async (_: any, next: any) => {
      seen.push(`${name} in`)
      const response = await next()
      seen.push(`${name} out`)
      return response
    }
    await door({
      use: [step('a'), step('b'), step('c')],
      routes: [
        [
          'GET',
          '/',
          step('d'),
          () => {
            seen.push('handler')
            return text('')
          },
        ],
      ],
    })('/')
    expect(seen).toEqual(['a in', 'b in', 'c in', 'd in', 'handler', 'd out', 'c out', 'b out', 'a out'])
  })

  test('MW2: next() gives the response', async () => {
    let seen: Response | undefined
    const fetch = door({
      use: [
        async (_, next) => {
          seen = await next()
        },
      ],
      routes: ok,
    })
    const response = await fetch('/')
    expect({ status: seen?.status, 'content-type': seen?.headers.get('content-type') }).toEqual({
      status: response.status,
      'content-type': response.headers.get('content-type'),
    })
  })

  test.each([
    [
      'one after the other',
      async (_: any, next: any) => {
        await next()
        await next()
      },
    ],
    [
      'at once',
      async (_: any, next: any) => {
        await Promise.all([next(), next()])
      },
    ],
    [
      'sync',
      (_: any, next: any) => {
        next()
        return next()
      },
    ],
  ])('MW2: calling next() twice is an error: %s', async (_, step) => {
    const errors: any[] = []
    const fetch = door({
      use: [step],
      routes: ok,
      onError: (error) => {
        errors.push(error)
        return text('caught', 500)
      },
    })
    expect((await fetch('/')).status).toBe(500)
    expect(errors.map((error) => error.message)).toEqual(['next() called multiple times'])
  })

  test('MW2: two requests at once each have a next() of their own', async () => {
    const fetch = door({
      use: [
        async (_, next) => {
          await Promise.resolve()
          return next()
        },
      ],
      routes: ok,
    })
    expect((await Promise.all([fetch('/'), fetch('/'), fetch('/')])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ])
  })

  test('MW2: the response of next() that a middleware returns is not copied again, and is not shared with other requests', async () => {
    const answer = text('ok')
    const seen: unknown[] = []
    const note = async (ctx: any, next: any) => {
      seen.push(await next(), ctx.response)
    }
    const inner = async (_: any, next: any) => {
      const given = await next()
      seen.push(given)
      return given
    }
    const fetch = door({
      use: [note, (_: any, next: any) => next(), inner],
      routes: [['GET', '/', () => answer]],
    })
    await fetch('/')
    expect(seen[1] === seen[0] && seen[2] === seen[0]).toBe(true)
    expect(seen).not.toContain(answer)
  })

  test('MW2: a response that a middleware makes is copied', async () => {
    const refused = text('no', 403)
    const seen: unknown[] = []
    const fetch = door({
      use: [
        async (_: any, next: any) => {
          seen.push(await next())
        },
        () => refused,
      ],
      routes: ok,
    })
    expect((await fetch('/')).status).toBe(403)
    expect(seen).toHaveLength(1)
    expect(seen).not.toContain(refused)
  })

  test('MW5: no edit reaches a clone that a middleware has kept', async () => {
    const kept: Response[] = []
    const fetch = door({
      use: [
        (ctx: any, next: any) => {
          onResponse(ctx, ['x-list', 'yes'])
          onResponse(ctx, (response) => response.headers.set('x-edit', 'yes'))
          return next()
        },
        async (_: any, next: any) => {
          const response = await next()
          kept.push(response.clone())
          return response
        },
      ],
      routes: ok,
    })
    const { headers } = await fetch('/')
    expect({ 'x-list': headers.get('x-list'), 'x-edit': headers.get('x-edit') }).toEqual({
      'x-list': 'yes',
      'x-edit': 'yes',
    })
    expect({ 'x-list': kept[0]!.headers.get('x-list'), 'x-edit': kept[0]!.headers.get('x-edit') }).toEqual({
      'x-list': null,
      'x-edit': null,
    })
  })

  test('MW3: a response without next() ends the chain, and what is around it still runs', async () => {
    const handler = vi.fn(() => text('handler'))
    const outer = async (_: any, next: any) => {
      const response = await next()
      response.headers.set('x-outer', String(response.status))
    }
    const fetch = door({ use: [outer, () => text('stop', 403)], routes: [['GET', '/', handler]] })
    const response = await fetch('/')
    expect({
      status: response.status,
      'x-outer': response.headers.get('x-outer'),
      text: await response.text(),
    }).toEqual({ status: 403, 'x-outer': '403', text: 'stop' })
    expect(handler).not.toHaveBeenCalled()
  })

  test('MW4: state is shared', async () => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.state.user = 'ada'
          return next()
        },
      ],
      routes: [['GET', '/', (ctx) => text(ctx.state.user)]],
    })
    expect(await (await fetch('/')).text()).toBe('ada')
  })

  test.each([
    [
      'sync',
      () => {
        throw new Error('boom')
      },
    ],
    [
      'async',
      async () => {
        throw new Error('boom')
      },
    ],
  ])('MW5: an error from downstream reaches try and catch around next(): %s', async (_, handler) => {
    const fetch = door({
      use: [
        async (_, next) => {
          try {
            return await next()
          } catch (error: any) {
            return text(`caught ${error.message}`, 503)
          }
        },
      ],
      routes: [['GET', '/', handler]],
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 503, text: 'caught boom' })
  })

  test('MW5: an error in notFound reaches it too', async () => {
    const fetch = door({
      use: [
        async (_, next) => {
          try {
            return await next()
          } catch {
            return text('caught')
          }
        },
      ],
      notFound: () => {
        throw new Error('x')
      },
    })
    expect(await (await fetch('/')).text()).toBe('caught')
  })

  test('MW7: runs for unmatched routes, for malformed ones and for other methods', async () => {
    const seen: string[] = []
    const fetch = door({
      use: [
        (ctx, next) => {
          seen.push(`${ctx.method} ${ctx.path}`)
          return next()
        },
      ],
      routes: [['GET', '/u/:id', () => text('x')]],
      methodNotAllowed: true,
    })
    const statuses = []
    for (const [method, path] of [
      ['GET', '/none'],
      ['GET', '/u/%'],
      ['POST', '/u/1'],
      ['OPTIONS', '/u/1'],
      ['GET', '/u/1'],
    ] as const) {
      statuses.push((await fetch(new Request(`http://localhost${path}`, { method }))).status)
    }
    expect(statuses).toEqual([404, 400, 405, 204, 200])
    expect(seen).toEqual(['GET /none', 'GET /u/%', 'POST /u/1', 'OPTIONS /u/1', 'GET /u/1'])
  })

  test('MW8: sync middleware, with and without next()', async () => {
    const fetch = door({
      use: [
        (_, next) => next(),
        (_, next) => {
          next()
        },
      ],
      routes: ok,
    })
    expect(await (await fetch('/')).text()).toBe('ok')
  })

  test('MW8: sync middleware that returns nothing over an async handler has no answer', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = door({
      use: [
        function forgetful(_, next) {
          void next()
        },
      ],
      routes: [['GET', '/', async () => text('late')]],
    })
    expect((await fetch('/')).status).toBe(500)
    expect(log.mock.calls[0]![0].message).toContain('forgetful')
    log.mockRestore()
  })

  test.each([
    ['a number', 1],
    ['a string', 'x'],
    ['true', true],
    ['an object', {}],
  ])('MW1: middleware that returns %s is refused, by name', async (_, value) => {
    const errors: any[] = []
    const fetch = door({
      use: [
        function odd() {
          return value
        },
      ],
      routes: ok,
      onError: (error) => {
        errors.push(error)
        return text('', 500)
      },
    })
    expect((await fetch('/')).status).toBe(500)
    expect(errors[0]).toBeInstanceOf(TypeError)
    expect(errors[0].message).toContain('odd')
  })

  describe('path versions', () => {
    const rewrite = (from: RegExp, to: string) =>
      Object.assign((_: any, next: any) => next(), {
        prepare(ctx: any) {
          ctx.path = ctx.path.replace(from, to)
        },
      })
    const routes = [
      ['GET', '/u/:id', (ctx: any) => text(`u ${ctx.params.id}`)],
      ['GET', '/v1/:page', (ctx: any) => text(`v1 ${ctx.params.page}`)],
    ] as const

    test.each([
      ['a path that is set is matched again, with its parameters', '/v2/u/7', 'u 7'],
      ['a path that stays is not', '/u/7', 'u 7'],
      ['a path that no route has', '/v2/none', '{"error":"Not Found"}'],
      ['a path that cannot be decoded', '/v2/u/%', '{"error":"Malformed path"}'],
    ])('%s', async (_, path, expected) => {
      expect(await (await door({ use: [rewrite(/^\/v2/, '')], routes })(path)).text()).toBe(expected)
    })

    test('all middleware sees the new path, also that in front', async () => {
      const seen: string[] = []
      const look = (ctx: any, next: any) => {
        seen.push(ctx.path)
        return next()
      }
      await door({ use: [look, rewrite(/^\/v2/, ''), look, ['/u/*', look]], routes })('/v2/u/7')
      expect(seen).toEqual(['/u/7', '/u/7', '/u/7'])
    })
  })
})

/** A context without an application. */
const asContext = () =>
  new BaseContext(
    new Request('http://localhost/'),
    'GET',
    '/',
    { basePath: '', router: createRouter([]) },
    undefined,
    undefined,
  )

describe('compose', () => {
  test.each<[string, unknown]>([
    ['a text', 'x'],
    ['undefined', undefined],
    ['null', null],
    ['a list of middleware', [() => text('x')]],
    ['a promise of a middleware', Promise.resolve(() => text('x'))],
    ['an application', { fetch: () => text('x') }],
  ])('throws when made for %s, as a middleware and as the handler', (_, bad) => {
    const passOn = (_: unknown, next: () => unknown) => next()
    const refused = /^compose: expected a handler or a middleware, got /
    expect(() => compose([bad] as never, () => text('x'))).toThrow(refused)
    expect(() => compose([passOn, bad] as never, () => text('x'))).toThrow(refused)
    expect(() => compose([], bad as never)).toThrow(refused)
  })

  test('alone, without middleware', () => {
    const response = text('x')
    expect(compose([], () => response)(asContext())).toBe(response)
  })

  test('without middleware, a handler that returns nothing', async () => {
    expect(() => compose([], () => undefined)(asContext())).toThrow(
      'The handler returned undefined instead of a Response',
    )
    await expect(compose([], async () => undefined)(asContext())).rejects.toThrow(TypeError)
  })

  test('errors pass through, sync and async', async () => {
    const error = new HttpError(409)
    expect(() =>
      compose([(_, next) => next()], () => {
        throw error
      })(asContext()),
    ).toThrow(error)
    await expect(
      compose([(_, next) => next()], async () => {
        throw error
      })(asContext()),
    ).rejects.toBe(error)
  })

  test('a thousand middleware run without a stack overflow', async () => {
    const steps = Array.from({ length: 1000 }, () => async (_: any, next: any) => next())
    expect(await compose(steps, () => text('deep'))(asContext())).toBeInstanceOf(Response)
  })
})
