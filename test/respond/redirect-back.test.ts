import { describe, expect, test } from 'vitest'
import { redirectBack } from '../../src/respond/redirect-back.ts'
import { doors } from '../harness.ts'

describe.each(doors)('redirectBack through %s', (_, door) => {
  const locationOf = async (referer: string | undefined, path = '/like') => {
    const fetch = door({ routes: [['POST', '/*', (ctx) => redirectBack(ctx, '/home')]] })
    const headers = referer === undefined ? {} : { referer }
    const response = await fetch(new Request(`http://app.example${path}`, { method: 'POST', headers }))
    return { status: response.status, location: response.headers.get('location') }
  }

  test.each<[string, string | undefined, string]>([
    ['a page of this host', 'http://app.example/posts?page=2#x', '/posts?page=2'],
    ['the same host behind a proxy that ends TLS', 'https://app.example/posts', '/posts'],
    ['upper case', 'HTTP://APP.EXAMPLE/Posts', '/Posts'],
    ['slashes within the path', 'http://app.example/a//b', '/a//b'],
    ['another scheme with this host', 'ftp://app.example/posts', '/home'],
    ['another scheme that ends like HTTP', 'xhttp://app.example/posts', '/home'],
    ['no field', undefined, '/home'],
    ['another host', 'http://evil.example/posts', '/home'],
    ['another port', 'http://app.example:8080/posts', '/home'],
    ['this host as the name of a user', 'http://app.example@evil.example/', '/home'],
    ['this host as the beginning of another', 'http://app.example.evil.example/', '/home'],
    ['a path that looks like a host', 'http://app.example//evil.example/', '/evil.example/'],
    ['backslashes', 'http://app.example/\\evil.example/', '/evil.example/'],
    ['another scheme', 'javascript:alert(1)//app.example', '/home'],
    ['a relative text', '/posts', '/home'],
    ['a text that is not a URL', 'http://[', '/home'],
    ['the page itself', 'http://app.example/like', '/home'],
  ])('%s', async (_, referer, expected) => {
    expect(await locationOf(referer)).toEqual({ status: 303, location: expected })
  })
})

test('without a fallback the client goes to /', () => {
  const ctx = { url: new URL('http://a.example/x'), header: () => null }
  expect(redirectBack(ctx).headers.get('location')).toBe('/')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', ''])(
  'refuses the fallback "%s"',
  (fallback) => {
    expect(() => redirectBack({ url: new URL('http://a.example'), header: () => null }, fallback)).toThrow(
      `redirectBack: fallback: expected a path, got "${fallback}"`,
    )
  },
)
