import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { proxy } from '../../src/proxy.ts'
import { doors } from '../harness.ts'

vi.mock('#runtime/outgoing', () => import('../../src/runtime/edge/outgoing.ts'))

beforeEach(() => void vi.stubGlobal('navigator', undefined))
afterEach(() => void vi.unstubAllGlobals())

describe.each(doors)('proxy on the edge, through %s', (_, door) => {
  const codingOf = async (coding: string) => {
    const headers = { 'content-encoding': coding }
    vi.stubGlobal('fetch', async () => new Response(null, { headers }))
    const fetch = door({ routes: [['GET', '/', proxy('http://target.example')]] })
    return (await fetch('/')).headers.get('content-encoding')
  }

  test.each<[string, boolean]>([
    ['gzip', true],
    ['X-Gzip', true],
    ['deflate', true],
    ['br', true],
    ['gzip,br', true],
    ['gzip  ,  br', true],
    ['agzip', false],
    ['gzipped', false],
    ['x-deflate', false],
    ['identity, gzip', false],
    ['gzip, x-deflate', false],
  ])('NB2: the header of the coding %s is dropped, as fetch has decoded it: %s', async (coding, dropped) => {
    const expected = dropped ? null : coding
    const other = { userAgent: 'Other' }
    const found = await codingOf(coding)
    vi.stubGlobal('navigator', other)
    expect({ found, named: await codingOf(coding) }).toEqual({ found: expected, named: expected })
  })

  test.each<[string, boolean]>([
    ['gzip', true],
    ['br', true],
    ['GZIP', false],
    ['x-gzip', false],
    ['deflate', false],
    ['gzip,br', false],
    ['agzip', false],
  ])('NB2: on Workers only one of two codings is decoded: %s, %s', async (coding, dropped) => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    expect(await codingOf(coding)).toBe(dropped ? null : coding)
  })

  test('NB2: a path of two slashes goes to the target as it is', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async ({ url }: Request) => {
      asked.push(url)
      return new Response('from the target')
    })
    const fetch = door({ routes: [['GET', '/*', proxy('http://target.example')]] })
    expect({ text: await (await fetch('//x')).text(), asked }).toEqual({
      text: 'from the target',
      asked: ['http://target.example//x'],
    })
  })
})
