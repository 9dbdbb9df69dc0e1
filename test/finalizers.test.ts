import { describe, expect, test, vi } from 'vitest'
import { HttpError } from '../src/errors.ts'
import { addLast } from '../src/kernel/edits.ts'
import { json } from '../src/respond/json.ts'
import { redirect } from '../src/respond/redirect.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

/** The names of `Vary` as a cache reads them: the edge may say one twice, and `*` covers all (RFC 9110 §12.5.5). */
const varied = (headers: Headers): string => {
  const names = (headers.get('vary') ?? '').split(/, */)
  return names.includes('*')
    ? '*'
    : names
        .filter((name, index) => index === names.findIndex((one) => one.toLowerCase() === name.toLowerCase()))
        .join(', ')
}

describe.each(doors)('%s', (_, door) => {
  /** An application with one registered edit, whatever answers. */
  const edited = (edit: any, rest: object) =>
    door({
      use: [
        (ctx, next) => {
          ctx.onResponse(edit)
          return next()
        },
      ],
      ...rest,
    })

  describe.each([
    [
      'a function',
      (response: Response) => {
        response.headers.set('x-a', 'b')
      },
    ],
    [
      'an async function',
      async (response: Response) => {
        response.headers.set('x-a', 'b')
      },
    ],
    ['a field list', ['x-a', 'b']],
  ])('MW5: %s', (_, edit) => {
    test.each([
      ['a text', () => text('x'), 200],
      ['an async text', async () => text('x'), 200],
      ['a plain Response', () => new Response('x'), 200],
      ['Response.redirect, which is frozen', () => Response.redirect('http://localhost/'), 302],
      ['a redirect', () => redirect('/'), 302],
      ['204', () => text('', 204), 204],
      ['a 404 of the handler', () => text('x', 404), 404],
      [
        'an HttpError',
        () => {
          throw new HttpError(413)
        },
        413,
      ],
      [
        'an error',
        () => {
          throw new Error('quiet')
        },
        500,
      ],
      [
        'an async error',
        async () => {
          throw new Error('quiet')
        },
        500,
      ],
    ])('reaches %s', async (_, handler, status) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const response = await edited(edit, { routes: [['GET', '/', handler]] })('/')
      expect({ status: response.status, 'x-a': response.headers.get('x-a') }).toEqual({ status, 'x-a': 'b' })
      log.mockRestore()
    })

    test('reaches what is not found, and what another middleware answered', async () => {
      expect((await edited(edit, {})('/')).headers.get('x-a')).toBe('b')
      const fetch = door({
        use: [
          (ctx, next) => {
            ctx.onResponse(edit)
            return next()
          },
          () => text('stop', 403),
        ],
      })
      expect((await fetch('/')).headers.get('x-a')).toBe('b')
    })

    test('reaches what onError answers', async () => {
      const fetch = edited(edit, {
        routes: [
          [
            'GET',
            '/',
            () => {
              throw new Error('x')
            },
          ],
        ],
        onError: () => Response.redirect('http://localhost/'),
      })
      expect((await fetch('/')).headers.get('x-a')).toBe('b')
    })

    test('reaches the answer to HEAD', async () => {
      const response = await edited(edit, { routes: [['GET', '/', () => text('x')]] })(
        new Request('http://localhost/', { method: 'HEAD' }),
      )
      expect({ 'x-a': response.headers.get('x-a'), text: await response.text() }).toEqual({ 'x-a': 'b', text: '' })
    })
  })

  test('MW5: an edit that sets a value with a line break is answered by onError', async () => {
    const split = (response: Response): void => response.headers.set('x-a', 'b\r\nx-evil: 1')
    const fetch = edited(split, {
      routes: [['GET', '/', () => text('x')]],
      onError: (error: unknown) => text(error instanceof TypeError ? 'refused' : 'other', 500),
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text(), 'x-a': response.headers.get('x-a') }).toEqual({
      status: 500,
      text: 'refused',
      'x-a': null,
    })
  })

  test('MW5: the last registered runs first, each once', async () => {
    const seen: string[] = []
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(() => {
            seen.push('a')
          })
          ctx.onResponse(async () => {
            seen.push('b')
          })
          ctx.onResponse(() => {
            seen.push('c')
          })
          return next()
        },
      ],
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            ctx.onResponse(() => {
              seen.push('handler')
            })
            return text('')
          },
        ],
      ],
    })
    await fetch('/')
    expect(seen).toEqual(['handler', 'c', 'b', 'a'])
  })

  test.each([
    ['no other', 0, ['last', 'later']],
    ['one', 1, ['1', 'last', 'later']],
    ['three', 3, ['3', '2', '1', 'last', 'later']],
  ])('MW5: an edit that is added as the last runs after %s, and another after it', async (_, count, expected) => {
    const seen: string[] = []
    const adds = (ctx: any, next: any) => {
      for (let index = 1; index <= count; index++) ctx.onResponse(() => void seen.push(`${index}`))
      for (const name of ['last', 'later']) addLast(ctx, () => void seen.push(name))
      return next()
    }
    await door({ use: [adds], routes: [['GET', '/', () => text('')]] })('/')
    expect(seen).toEqual(expected)
  })

  test('MW5: an edit may register another', async () => {
    const seen: string[] = []
    await door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            ctx.onResponse(() => {
              ctx.onResponse(() => {
                seen.push('inner')
              })
              seen.push('outer')
            })
            return text('')
          },
        ],
      ],
    })('/')
    expect(seen).toEqual(['outer', 'inner'])
  })

  test('MW5: an edit may give another response, which the others edit', async () => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse((response: Response) => {
            response.headers.set('x-last', 'yes')
          })
          ctx.onResponse(async () => text('other', 202))
          return next()
        },
      ],
      routes: [['GET', '/', () => text('x')]],
    })
    const response = await fetch('/')
    expect({ status: response.status, 'x-last': response.headers.get('x-last'), text: await response.text() }).toEqual({
      status: 202,
      'x-last': 'yes',
      text: 'other',
    })
  })

  test.each([
    [
      'sync',
      () => {
        throw new HttpError(502)
      },
    ],
    [
      'async',
      async () => {
        throw new HttpError(502)
      },
    ],
  ])('MW5: an edit that fails is answered, and the others still run: %s', async (_, failing) => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse((response: Response) => {
            response.headers.set('x-last', 'yes')
          })
          ctx.onResponse(failing)
          return next()
        },
      ],
      routes: [['GET', '/', () => text('x')]],
    })
    const response = await fetch('/')
    expect({ status: response.status, 'x-last': response.headers.get('x-last') }).toEqual({
      status: 502,
      'x-last': 'yes',
    })
  })

  test.each([
    ['a number', () => 1],
    ['a string', async () => 'x'],
    ['null', () => null],
  ])('what an edit returns besides a response is ignored: %s', async (_, edit) => {
    expect(await (await edited(edit, { routes: [['GET', '/', () => text('x')]] })('/')).text()).toBe('x')
  })

  test.each([
    ['sets what is not there', ['x-a', 'list'], {}, 'x-a', 'list'],
    ['leaves what the handler set', ['x-a', 'list'], { 'x-a': 'own' }, 'x-a', 'own'],
    ['adds to vary', ['vary', 'Origin'], { vary: 'Accept' }, 'vary', 'Accept, Origin'],
    ['adds nothing to vary twice', ['vary', 'Origin'], { vary: 'origin' }, 'vary', 'origin'],
    ['sets vary', ['vary', 'Origin'], {}, 'vary', 'Origin'],
    ['leaves a vary of everything', ['vary', 'Origin'], { vary: '*' }, 'vary', '*'],
  ])('a list %s', async (_, list, own, name, expected) => {
    const response = await edited(list, { routes: [['GET', '/', () => json({}, 200, own)]] })('/')
    const { headers } = response
    expect(name === 'vary' ? varied(headers) : headers.get(name)).toBe(expected)
  })

  test('a list adds cookies to those of the handler', async () => {
    const response = await edited(['set-cookie', 'b=2', 'set-cookie', 'c=3'], {
      routes: [['GET', '/', () => json({}, 200, { 'set-cookie': 'a=1' })]],
    })('/')
    expect(response.headers.getSetCookie().sort()).toEqual(['a=1', 'b=2', 'c=3'])
  })

  test('several lists and a function together', async () => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(['x-a', 'outer', 'vary', 'A'])
          ctx.onResponse((response: Response) => {
            response.headers.set('x-f', response.headers.get('x-b')!)
          })
          ctx.onResponse(['x-a', 'inner', 'x-b', 'list', 'vary', 'B'])
          return next()
        },
      ],
      routes: [['GET', '/', () => text('x')]],
    })
    const { headers } = await fetch('/')
    expect({
      'x-a': headers.get('x-a'),
      'x-b': headers.get('x-b'),
      'x-f': headers.get('x-f'),
      vary: headers.get('vary'),
    }).toEqual({ 'x-a': 'inner', 'x-b': 'list', 'x-f': 'list', vary: 'B, A' })
  })

  test('one list serves many responses', async () => {
    const list = ['vary', 'Origin', 'x-a', 'b']
    const fetch = edited(list, { routes: [['GET', '/', () => json({}, 200, { vary: 'Accept' })]] })
    for (let round = 0; round < 3; round++) expect((await fetch('/')).headers.get('vary')).toBe('Accept, Origin')
    expect(list).toEqual(['vary', 'Origin', 'x-a', 'b'])
  })

  test('no edit runs when the response cannot be edited at all, and fetch does not reject', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const handler of [() => Response.error(), async () => Response.error()]) {
      expect((await edited(['x-a', 'b'], { routes: [['GET', '/', handler]] })('/')).status).toBe(500)
      expect((await edited(() => {}, { routes: [['GET', '/', handler]] })('/')).status).toBe(500)
    }
    log.mockRestore()
  })

  test.each([
    ['a value with a line break', ['x-a', 'b\r\nset-cookie: c'], 'onResponse: x-a: expected a field value'],
    ['a value with characters above one byte', ['x-a', '€'], 'onResponse: x-a: expected a field value'],
    ['what is no field name', ['x a', 'b'], 'onResponse: expected a field name'],
    ['undefined', ['x-a', undefined], 'onResponse: x-a: expected a field value'],
    ['a name without a value', ['x-a'], 'onResponse: expected a function, or a list'],
    ['a text', 'x-a', 'onResponse: expected a function, or a list'],
    ['a record', { 'x-a': 'b' }, 'onResponse: expected a function, or a list'],
  ])('MW5: %s is an error that onError gets, and no header', async (_, edit, message) => {
    const fetch = edited(edit, {
      routes: [['GET', '/', () => text('x')]],
      onError: (error: Error) => text(error.message, 500),
    })
    const response = await fetch('/')
    const { status, headers } = response
    expect({ status, 'x-a': headers.get('x-a'), 'set-cookie': headers.get('set-cookie') }).toEqual({
      status: 500,
      'x-a': null,
      'set-cookie': null,
    })
    expect(await response.text()).toContain(message)
  })

  describe('F7: every edit runs once, also if the response was read before and cannot be copied for them', () => {
    const used = async (): Promise<Response> => {
      const response = new Response('no', { status: 403 })
      await response.text()
      return response
    }
    const fails = () => {
      throw new Error('quiet')
    }
    test.each([
      ['thrown', (shared: Response) => ({ routes: [['GET', '/', () => Promise.reject(shared)]] })],
      ['given by onError', (shared: Response) => ({ routes: [['GET', '/', fails]], onError: () => shared })],
      [
        'given by an edit',
        (shared: Response) => ({
          routes: [
            [
              'GET',
              '/',
              (ctx: any) => {
                ctx.onResponse(() => shared)
                return text('x')
              },
            ],
          ],
        }),
      ],
      [
        'given by an edit and by onError',
        (shared: Response) => ({
          routes: [
            [
              'GET',
              '/',
              (ctx: any) => {
                ctx.onResponse(async () => shared)
                return text('x')
              },
            ],
          ],
          onError: () => shared,
        }),
      ],
    ])('%s', async (_, setup) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const ran: string[] = []
      const note = (name: string) => (ctx: any, next: any) => {
        ctx.onResponse(() => void ran.push(name))
        return next()
      }
      const list = (ctx: any, next: any) => {
        ctx.onResponse(['x-list', '1'])
        return next()
      }
      const shared = await used()
      const fetch = door({ use: [note('outer'), note('inner')], ...(setup(shared) as object) })
      const response = await fetch('/')
      expect({ status: response.status, ran }).toEqual({ status: 500, ran: ['inner', 'outer'] })
      const listed = await door({ use: [list], ...(setup(shared) as object) })('/')
      expect({ status: listed.status, 'x-list': listed.headers.get('x-list') }).toEqual({ status: 500, 'x-list': '1' })
      expect(log).toHaveBeenCalled()
      log.mockRestore()
    })
  })
})
