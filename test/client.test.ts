import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { createClient } from '../src/client.ts'
import { collectGarbage } from './collect-garbage.ts'
import { type Door, doors } from './harness.ts'

/** Answers with what a call became. */
const echo = async (ctx: any): Promise<Response> => {
  // any: see Setup of the harness
  const body = await ctx.request.text()
  return Response.json({
    method: ctx.method,
    params: ctx.params,
    query: [...ctx.query],
    type: ctx.header('content-type')?.split(';')[0] ?? null,
    body,
    key: ctx.header('x-key'),
    base: ctx.header('x-base'),
  })
}

const PATHS = ['/by/:with-dash', '/', '/users/:id', '/users/:id/posts/:post', '/files/*path', '/rest/*', '/a:b/:id']

const routes = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  PATHS.map((path) => [method, path, echo] as const),
)

/** A client whose routes are not known to the compiler, and what it heard. */
const clientOf = (door: Door, options: object = {}): any => createClient<any>({ fetch: door({ routes }), ...options }) // any: see above

describe.each(doors)('%s', (_, door) => {
  const api = clientOf(door)
  const call = async (method: string, path: string, init?: object): Promise<any> =>
    (await api[method](path, init)).json() // any: JSON

  test.each(['get', 'post', 'put', 'patch', 'delete'])('TC2: %s sends the method', async (method) => {
    expect(await call(method, '/')).toMatchObject({ method: method.toUpperCase(), params: {}, type: null, body: '' })
  })

  test('TC2: head', async () => {
    const response = await api.head('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
  })

  test.each([
    ['a number', '/users/:id', { id: 7 }],
    ['a slash', '/users/:id', { id: 'a/b' }],
    ['dots within a name', '/users/:id', { id: '...' }],
    ['an encoded way up', '/users/:id', { id: '%2e%2e' }],
    ['?, #, %, a blank and a backslash', '/users/:id', { id: '?#% \\' }],
    ['letters of other scripts', '/users/:id', { id: 'žluťoučký 🐎' }],
    ['two', '/users/:id/posts/:post', { id: '../..', post: 'x' }],
    ['a wildcard keeps its slashes', '/files/*path', { path: 'a/b c/d' }],
    ['a wildcard without a name', '/rest/*', { '*': 'a/b' }],
    ['a dash in its name', '/by/:with-dash', { 'with-dash': 'x' }],
    ['a colon within a segment is no parameter', '/a:b/:id', { id: '1' }],
  ])('TC2: parameters arrive as they were given: %s', async (_, path, params) => {
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, `${value}`]))
    expect((await call('get', path, { params })).params).toEqual(texts)
  })

  test.each([
    ['an empty one', '/users/:id', { id: '' }],
    ['a dot', '/users/:id', { id: '.' }],
    ['a way up', '/users/:id', { id: '..' }],
    ['a missing one', '/users/:id', {}],
    ['none at all', '/users/:id', undefined],
    ['a way up in a wildcard', '/files/*path', { path: 'a/../b' }],
    ['a way up at the end of a wildcard', '/files/*path', { path: 'a/..' }],
    ['an empty segment in a wildcard', '/files/*path', { path: 'a//b' }],
    ['an empty wildcard', '/rest/*', { '*': '' }],
  ])('TC2: a parameter that would change the route is refused: %s', async (_, path, params) => {
    await expect(api.get(path, { params })).rejects.toThrow(/^\/[a-z].*: [\w*]+: expected .*, got ".*"$/)
  })

  test('TC2: query: lists repeat a name, undefined and null are left out, dates are ISO', async () => {
    const query = { a: 1, b: ['x', 'y & z', undefined, null], c: undefined, n: null, d: true, e: new Date(0), f: [] }
    expect((await call('get', '/', { query })).query).toEqual([
      ['a', '1'],
      ['b', 'x'],
      ['b', 'y & z'],
      ['d', 'true'],
      ['e', '1970-01-01T00:00:00.000Z'],
    ])
  })

  test.each([
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['null', null, 'null'],
    ['false', false, 'false'],
    ['an empty text', '', '""'],
  ])('TC2: json: %s', async (_, json, body) => {
    expect(await call('post', '/', { json })).toMatchObject({ type: 'application/json', body })
  })

  test('TC2: a form is urlencoded, and multipart with a file or as FormData', async () => {
    const form = { a: 'x y', b: [1, 2], c: undefined, n: null }
    expect(await call('post', '/', { form })).toMatchObject({
      type: 'application/x-www-form-urlencoded',
      body: 'a=x+y&b=1&b=2',
    })
    const file = new File(['content'], 'a.txt', { type: 'text/plain' })
    for (const withFile of [
      { a: 'x', file },
      { a: 'x', files: ['y', file] },
    ]) {
      const sent = await call('post', '/', { form: withFile })
      expect(sent.type).toBe('multipart/form-data')
      expect(sent.body).toContain('filename="a.txt"')
      expect(sent.body).toContain('content')
    }
    const data = new FormData()
    data.append('a', '1')
    expect((await call('post', '/', { form: data })).type).toBe('multipart/form-data')
  })

  test('TC2, NA1: fields of the client, of a function, and of the call, which wins in upper and lower case', async () => {
    const headers = { 'x-base': 'client', 'x-key': 'client' }
    for (const given of [headers, () => headers, async () => headers]) {
      const response = await clientOf(door, { headers: given }).get('/', {
        headers: { 'X-Key': 'call', 'X-Base': undefined, 'X-Null': null },
      })
      expect(await response.json()).toMatchObject({ key: 'call', base: null })
    }
    const without = await clientOf(door, { headers }).get('/', { headers: { 'x-key': undefined } })
    expect(await without.json()).toMatchObject({ key: null, base: 'client' })
    const typed = await call('post', '/', { json: 1, headers: { 'content-type': 'application/vnd.a+json' } })
    expect(typed.type).toBe('application/vnd.a+json')
  })

  test('TC6: the base URL, with and without a slash at its end', async () => {
    for (const baseUrl of ['http://a.example/v1', 'http://a.example/v1/']) {
      const asked: string[] = []
      const fetch = (request: Request): Response => {
        asked.push(request.url)
        return new Response('')
      }
      const other: any = createClient<any>({ baseUrl, fetch }) // any: see above
      await other.get('/users/:id', { params: { id: 1 }, query: { a: 1 } })
      await other.get('users/:id', { params: { id: 1 } })
      expect(asked).toEqual(['http://a.example/v1/users/1?a=1', 'http://a.example/v1/users/1'])
    }
  })

  test('TC2: a signal that is aborted rejects', async () => {
    const waiting: any = createClient<any>({
      fetch: (request) =>
        new Promise((_, reject) => {
          if (request.signal.aborted) reject(request.signal.reason)
        }),
    }) // any: see above
    await expect(waiting.get('/', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left')
  })
})

test('TC2: parameters that may be absent, and have a pattern', async () => {
  const asked: string[] = []
  const fetch = (request: Request): Response => {
    asked.push(new URL(request.url).pathname)
    return new Response('')
  }
  const api: any = createClient<any>({ fetch }) // any: see above
  await api.get('/u/:id?')
  await api.get('/u/:id?', { params: { id: 1 } })
  await api.get('/u/:id{[0-9]+}?', { params: {} })
  await api.get('/u/:id{[0-9]+}/x', { params: { id: 2 } })
  expect(asked).toEqual(['/u', '/u/1', '/u', '/u/2/x'])
  await expect(api.get('/u/:id?', { params: { id: '' } })).rejects.toThrow(TypeError)
})

test('TC2: credentials and the signal reach the request; without them the platform decides', async () => {
  const seen: Request[] = []
  const fetch = (request: Request): Response => {
    seen.push(request)
    return new Response('')
  }
  const one: any = createClient<any>({ fetch, credentials: 'include' }) // any: see above
  const two: any = createClient<any>({ fetch }) // any: see above
  await one.get('/')
  await two.get('/')
  expect(seen.map(({ credentials }) => credentials)).toEqual(['include', 'same-origin'])
})

test('TC2: without a fetch the global one is called, as it is then, and needs a whole address', async () => {
  const api: any = createClient<any>() // any: see above
  const whole: any = createClient<any>({ baseUrl: 'http://a.example' }) // any: see above
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request.url)
    return new Response('')
  })
  try {
    await expect(api.get('/users')).rejects.toThrow(/ from \/users$/)
    await whole.get('/x')
  } finally {
    vi.unstubAllGlobals()
  }
  expect(asked).toEqual(['http://a.example/x'])
})

test('a call that waits for a silent server ends with its signal, although garbage was collected meanwhile', async () => {
  const silent = createServer(() => {}).listen(0)
  await once(silent, 'listening')
  const api = createClient<any>({ baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }) as any // any: see above
  const leave = new AbortController()
  const call = api.get('/', { signal: leave.signal })
  for (const ms of [100, 200]) setTimeout(collectGarbage, ms)
  setTimeout(() => leave.abort(new Error('No longer needed')), 300)
  await expect(call).rejects.toThrow('No longer needed')
  silent.closeAllConnections()
  silent.close()
})
