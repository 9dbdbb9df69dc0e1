import { describe, expect, test } from 'vitest'
import { getCookie, getSignedCookie, setCookie, setSignedCookie } from '../../src/cookie.ts'
import { readJson } from '../../src/read/json.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const secret = 'a secret of thirty-two bytes, or more'

/** JSON escapes halves of characters, so a client can send them although UTF-8 cannot. */
describe.each(doors)('half a character in a value that a client chose, through %s', (_, door) => {
  const fetch = door({
    routes: [
      [
        'POST',
        '/',
        async (ctx) => {
          const { plain, signed } = (await readJson(ctx)) as { plain: string; signed: string }
          setCookie(ctx, 'plain', plain)
          await setSignedCookie(ctx, 'signed', signed, secret)
          return json('set')
        },
      ],
      [
        'GET',
        '/',
        async (ctx) => json({ plain: getCookie(ctx, 'plain'), signed: await getSignedCookie(ctx, 'signed', secret) }),
      ],
    ],
  })

  test.each([
    ['the first half', '\\ud83d', '\ufffd'],
    ['the second half', '\\ude00', '\ufffd'],
    ['both, the wrong way round', '\\ude00\\ud83d', '\ufffd\ufffd'],
    ['one in a text', 'a\\ud83d;b', 'a\ufffd;b'],
    ['a whole character', '\\ud83d\\ude00', '😀'],
  ])('%s is a cookie, and not a 500', async (_, escaped, expected) => {
    const body = `{"plain":"${escaped}","signed":"${escaped}"}`
    const set = await fetch(new Request('http://localhost/', { method: 'POST', body }))
    expect(set.status).toBe(200)
    const cookie = set.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const got = await fetch(new Request('http://localhost/', { headers: { cookie } }))
    expect(await got.json()).toEqual({ plain: expected, signed: expected })
  })
})
