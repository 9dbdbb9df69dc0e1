import { describe, expect, test } from 'vitest'
import {
  type CookieOptions,
  deleteCookie,
  getCookie,
  getCookies,
  getSignedCookie,
  setCookie,
  setSignedCookie,
} from '../src/cookie.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

const withCookie = (cookie: string): Request => new Request('http://localhost/', { headers: { cookie } })

describe.each(doors)('cookies through %s', (_, door) => {
  const readWith = async (cookie: string, name: string): Promise<string | undefined> => {
    let value: string | undefined
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            value = getCookie(ctx, name)
            return text('')
          },
        ],
      ],
    })
    expect((await fetch(withCookie(cookie))).status).toBe(200)
    return value
  }
  const setBy = async (handler: (ctx: any) => unknown): Promise<string[]> => {
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          async (ctx) => {
            await handler(ctx)
            return text('')
          },
        ],
      ],
    })
    return (await fetch('/')).headers.getSetCookie()
  }

  test.each([
    ['a plain value', 'a=1', 'a', '1'],
    ['one of several', 'x=0; a=1; b=2', 'a', '1'],
    ['a percent-encoded value is decoded', 'a=%C3%A4%20b', 'a', 'ä b'],
    ['MN8: a malformed escape is left as it is', 'a=%E0%A4%A', 'a', '%E0%A4%A'],
    ['MN8: a value keeps its equals signs', 'a=b=c==', 'a', 'b=c=='],
    ['an empty value', 'a=; b=1', 'a', ''],
    ['the first of two with one name', 'a=1; a=2', 'a', '1'],
    ['names are compared with case', 'A=1', 'a', undefined],
    ['a pair without an equals sign is ignored', 'a; b=1', 'a', undefined],
    ['a name is not found at the end of another', 'xa=1', 'a', undefined],
    ['a name is not found in a value', 'x=a=1', 'a', undefined],
    ['spaces and tabs around name and value are dropped', ' \t a = 1 \t ;b=2', 'a', '1'],
    ['CVE-2026-39410: a no-break space belongs to the name', '\u00a0a=1', 'a', undefined],
    ['quotes belong to the value', 'a="1"', 'a', '"1"'],
    ['an inherited name is no cookie', 'x=1', 'constructor', undefined],
    ['no header at all', '', 'a', undefined],
  ])('reading: %s', async (_, cookie, name, expected) => {
    expect(await readWith(cookie, name)).toBe(expected)
  })

  test.each<[string, string, string, CookieOptions | undefined, string]>([
    ['path is the root by default', 'a', '1', undefined, 'a=1; Path=/'],
    ['a value is percent-encoded', 'a', 'ä; b=c', {}, 'a=%C3%A4%3B%20b%3Dc; Path=/'],
    [
      'all attributes',
      'a',
      '1',
      {
        path: '/x',
        domain: 'example.com',
        maxAge: 60,
        httpOnly: true,
        secure: true,
        sameSite: 'strict',
        partitioned: true,
      },
      'a=1; Path=/x; Domain=example.com; Max-Age=60; HttpOnly; Secure; SameSite=Strict; Partitioned',
    ],
    ['an expiry date', 'a', '1', { expires: new Date(0) }, 'a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ['a host cookie', '__Host-a', '1', { secure: true }, '__Host-a=1; Path=/; Secure'],
    ['a secure cookie', '__Secure-a', '1', { secure: true, path: '/x' }, '__Secure-a=1; Path=/x; Secure'],
  ])('setting: %s', async (_, name, value, options, line) => {
    expect(await setBy((ctx) => setCookie(ctx, name, value, options))).toEqual([line])
  })

  test.each<[string, string, CookieOptions, RegExp]>([
    ['an empty name', '', {}, /name: expected a name without spaces and separators, got ""/],
    ['a name with a semicolon', 'a;b', {}, /name: .*got "a;b"/],
    ['a name with a line break', 'a\r\nb', {}, /^setCookie: name: expected/],
    [
      'CVE-2024-47764, CVE-2026-88038, GHSA-26pp-8wgv-hjvm, GHSA-5pq2-9x2x-5p6w: a path that ends the attribute',
      'a',
      { path: '/; Domain=evil' },
      /path: .*got "\/; Domain=evil/,
    ],
    ['a path with a line break', 'a', { path: '/\r\nx: y' }, /^setCookie: path: expected/],
    ['a relative path', 'a', { path: 'x' }, /path: .*got "x"/],
    ['a relative path with a slash', 'a', { path: 'x/y' }, /path: .*got "x\/y"/],
    ['a domain that ends the attribute', 'a', { domain: 'a.b; Secure' }, /^setCookie: domain: expected/],
    ['an empty label in a domain', 'a', { domain: 'a..b' }, /^setCookie: domain: expected/],
    ['a fraction of a second', 'a', { maxAge: 1.5 }, /maxAge: .*got 1.5/],
    ['an age that is no number', 'a', { maxAge: Number.NaN }, /maxAge: .*got NaN/],
    ['an invalid date', 'a', { expires: new Date('x') }, /expires: expected a date from 1970 on/],
    ['an unknown SameSite', 'a', { sameSite: 'maybe' as 'lax' }, /sameSite: .*got "maybe"/],
    ['SameSite=None without Secure', 'a', { sameSite: 'none' }, /^setCookie: secure: expected/],
    ['Partitioned without Secure', 'a', { partitioned: true }, /^setCookie: secure: expected/],
    ['__Secure- without Secure', '__Secure-a', {}, /^setCookie: secure: expected/],
    ['__Host- without Secure', '__Host-a', {}, /^setCookie: secure: expected/],
    [
      '__Host- with a domain',
      '__Host-a',
      { secure: true, domain: 'a.b' },
      /domain: expected a host name, none for __Host-, got "a.b"/,
    ],
    ['__Host- below a path', '__Host-a', { secure: true, path: '/x' }, /path: expected .* for __Host-, got "\/x"/],
    ['prefixes are compared without case', '__hOsT-a', {}, /^setCookie: secure: expected/],
  ])('refusing: %s', async (_, name, options, message) => {
    let thrown: unknown
    await setBy((ctx) => {
      try {
        setCookie(ctx, name, '1', options)
      } catch (error) {
        thrown = error
      }
    })
    expect(thrown).toBeInstanceOf(TypeError)
    expect((thrown as Error).message).toMatch(message)
  })

  test.each([
    ['name and value of 4,096 bytes fit', 4094, 1],
    ['one more does not', 4095, 0],
  ])('%s', async (_, length, lines) => {
    const set = setBy((ctx) => setCookie(ctx, 'a', 'x'.repeat(length)))
    expect((await set).length).toBe(lines)
  })

  test('setting a cookie again replaces it, another path is another cookie', async () => {
    const lines = await setBy((ctx) => {
      setCookie(ctx, 'a', '1')
      setCookie(ctx, 'b', '1')
      setCookie(ctx, 'a', '2')
      setCookie(ctx, 'a', '3', { path: '/x' })
    })
    expect(lines.sort()).toEqual(['a=2; Path=/', 'a=3; Path=/x', 'b=1; Path=/'])
  })

  test('a cookie that a finalizer sets is sent as well', async () => {
    const lines = await setBy((ctx) => {
      ctx.onResponse(() => setCookie(ctx, 'late', '1'))
      setCookie(ctx, 'early', '1')
    })
    expect(lines.sort()).toEqual(['early=1; Path=/', 'late=1; Path=/'])
  })

  test('a cookie is sent although the handler threw', async () => {
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            setCookie(ctx, 'a', '1')
            throw new Error('no')
          },
        ],
      ],
      onError: () => text('sorry', 500),
    })
    const response = await fetch('/')
    expect({ status: response.status, 'set-cookie': response.headers.getSetCookie() }).toEqual({
      status: 500,
      'set-cookie': ['a=1; Path=/'],
    })
  })

  test('deleting a cookie lets it expire where it was set', async () => {
    expect(await setBy((ctx) => deleteCookie(ctx, 'a', { path: '/x', domain: 'a.b' }))).toEqual([
      'a=; Path=/x; Domain=a.b; Max-Age=0',
    ])
  })

  describe('signed', () => {
    const roundtrip = async (
      secretNow: string | string[],
      secretLater: string | string[],
      forge = (value: string) => value,
    ) => {
      const [line] = await setBy((ctx) => setSignedCookie(ctx, 'cart', '17; ä', secretNow))
      const value = forge(line!.split(';')[0]!.slice('cart='.length))
      let read: string | undefined
      const fetch = door({
        routes: [
          [
            'GET',
            '/',
            async (ctx) => {
              read = await getSignedCookie(ctx, 'cart', secretLater)
              return text('')
            },
          ],
        ],
      })
      await fetch(withCookie(`other=1; cart=${value}`))
      return read
    }

    test.each<
      [string, string | string[], string | string[], ((value: string) => string) | undefined, string | undefined]
    >([
      ['a cookie that was set can be read', 'a', 'a', undefined, '17; ä'],
      ['another secret reads nothing', 'a', 'b', undefined, undefined],
      ['a rotated secret still reads', 'old', ['new', 'old'], undefined, '17; ä'],
      ['the first secret signs', ['new', 'old'], 'new', undefined, '17; ä'],
      ['a changed value is refused', 'a', 'a', (value) => value.replace('17', '18'), undefined],
      [
        'a changed signature is refused',
        'a',
        'a',
        (value) => value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA'),
        undefined,
      ],
      ['a truncated signature is refused', 'a', 'a', (value) => value.slice(0, -1), undefined],
      ['a lengthened signature is refused', 'a', 'a', (value) => `${value}A`, undefined],
      ['a missing signature is refused', 'a', 'a', (value) => value.slice(0, value.lastIndexOf('.')), undefined],
      ['an empty signature is refused', 'a', 'a', (value) => value.slice(0, value.lastIndexOf('.') + 1), undefined],
      ['an empty cookie is refused', 'a', 'a', () => '', undefined],
    ])('%s', async (_, now, later, forge, expected) => {
      expect(await roundtrip(now, later, forge)).toBe(expected)
    })

    test('a value cannot move to a cookie of another name', async () => {
      const [line] = await setBy((ctx) => setSignedCookie(ctx, 'role', 'admin', 's'))
      let read: string | undefined = 'none'
      await setBy(() => {})
      const fetch = door({
        routes: [
          [
            'GET',
            '/',
            async (ctx) => {
              read = await getSignedCookie(ctx, 'user', 's')
              return text('')
            },
          ],
        ],
      })
      await fetch(withCookie(`user=${line!.split(';')[0]!.slice('role='.length)}`))
      expect(read).toBeUndefined()
    })

    test.each([[''], [[]], [['a', '']], [undefined]])('an empty secret is refused: %j', async (secret) => {
      const ctx = { header: () => null } as never
      await expect(getSignedCookie(ctx, 'a', secret as string)).rejects.toThrow(/^getSignedCookie: secret: /)
      await expect(setSignedCookie(ctx, 'a', '1', secret as string)).rejects.toThrow(TypeError)
    })
  })

  test('all cookies come as a record without prototype', async () => {
    let cookies: Record<string, string> = {}
    await door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            cookies = getCookies(ctx)
            return text('')
          },
        ],
      ],
    })(withCookie('a=1; __proto__=2; constructor=3; a=4; =5; b'))
    expect(Object.entries(cookies)).toEqual([
      ['a', '1'],
      ['__proto__', '2'],
      ['constructor', '3'],
    ])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
