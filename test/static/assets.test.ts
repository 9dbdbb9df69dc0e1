import { describe, expect, test, vi } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { type StaticOptions, serveStatic } from '../../src/static.ts'
import { doors } from '../harness.ts'

vi.mock('#runtime/files', () => import('../../src/runtime/edge/files.ts'))

/** Answers as the assets of a worker do: redirects are paths from its own root. */
const assetsWith = (asked: Request[] = [], cancelled: string[] = []) => ({
  fetch: async (request: Request): Promise<Response> => {
    asked.push(request)
    const { pathname } = new URL(request.url)
    const statuses: Record<string, number> = { '/changed.txt': 412, '/short.txt': 416, '/broken.txt': 500 }
    const headers = { 'cache-control': 'public, max-age=0, must-revalidate' }
    const pages = ['/', '/a.txt', '/app.html']
    if (pages.includes(pathname)) return text(`asset ${pathname}`, { headers })
    const locations: Record<string, string> = {
      '/docs': '/docs/?x=1',
      '/away': '//b.example/',
      '/far': 'https://b.example/',
    }
    const location = locations[pathname]
    if (location) return new Response(null, { status: 307, headers: { location } })
    const body = new ReadableStream({ cancel: () => void cancelled.push(pathname) })
    return new Response(body, { status: statuses[pathname] ?? 404 })
  },
})

describe.each(doors)('MX15: serveStatic with a binding of assets, through %s', (_, door) => {
  const serve = (options: Partial<StaticOptions> = {}, setup: object = {}) => {
    const fetch = door({ use: [serveStatic({ root: 'unused', maxAge: 60, ...options })], ...setup })
    return (path: string, init: RequestInit = {}, env: unknown = { ASSETS: assetsWith() }) =>
      fetch(new Request(`http://localhost${path}`, init), env)
  }

  const page = { headers: { accept: 'text/html' } }
  test.each<[string, Partial<StaticOptions>, string, RequestInit, number, string | undefined]>([
    ['an asset', {}, '/a.txt', {}, 200, 'asset /a.txt'],
    ['the root', {}, '/', {}, 200, 'asset /'],
    ['below a prefix', { prefix: '/files' }, '/files/a.txt', {}, 200, 'asset /a.txt'],
    ['beside a prefix', { prefix: '/files' }, '/a.txt', {}, 404, '{"error":"Not Found"}'],
    ['another method', {}, '/a.txt', { method: 'POST' }, 404, '{"error":"Not Found"}'],
    ['no asset', {}, '/none', {}, 404, '{"error":"Not Found"}'],
    ['a failing asset server', {}, '/broken.txt', {}, 404, '{"error":"Not Found"}'],
    ['a precondition that does not hold', {}, '/changed.txt', {}, 412, undefined],
    ['a range that is not there', {}, '/short.txt', {}, 416, undefined],
    ['a hidden file', {}, '/.env', {}, 404, '{"error":"Not Found"}'],
    ['a hidden file, denied', { dotfiles: 'deny' }, '/.env', {}, 403, '{"error":"Forbidden"}'],
    ['a navigation', { fallback: 'index.html' }, '/users/7', page, 200, 'asset /'],
    ['another page', { fallback: 'app.html' }, '/x', page, 200, 'asset /app.html'],
    ['no page', { fallback: 'no.html' }, '/x', page, 404, '{"error":"Not Found"}'],
  ])('%s', async (_, options, path, init, status, body) => {
    const response = await serve(options)(path, init)
    expect(response.status).toBe(status)
    if (body === undefined) await response.body?.cancel()
    else expect(await response.text()).toBe(body)
    if (options.fallback)
      expect(response.headers.get('vary')).toBe('Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Accept-Encoding')
    if (status === 200)
      expect(response.headers.get('cache-control')).toBe(options.fallback ? 'no-cache' : 'public, max-age=60')
  })

  test('the binding gets the method, the query and the fields of the request', async () => {
    const asked: Request[] = []
    const init = { method: 'HEAD', headers: { range: 'bytes=0-1' } }
    await serve({ prefix: '/files', binding: 'PUBLIC' })('/files/a.txt?v=1', init, { PUBLIC: assetsWith(asked) })
    expect(
      asked.map(({ method, url, redirect, headers }) => ({ method, url, redirect, range: headers.get('range') })),
    ).toEqual([{ method: 'HEAD', url: 'http://localhost/a.txt?v=1', redirect: 'manual', range: 'bytes=0-1' }])
  })

  test.each([
    ['/docs', {}, {}, '/docs/?x=1'],
    ['/files/docs', { prefix: '/files' }, {}, '/files/docs/?x=1'],
    ['/app/docs', {}, { basePath: '/app' }, '/app/docs/?x=1'],
    ['/files/away', { prefix: '/files' }, {}, '//b.example/'],
    ['/files/far', { prefix: '/files' }, {}, 'https://b.example/'],
  ])('a redirect of %s with %j and %j is to %s, and not kept', async (path, options, setup, location) => {
    const { status, headers } = await serve(options, setup)(path)
    expect({ status, location: headers.get('location'), 'cache-control': headers.get('cache-control') }).toEqual({
      status: 307,
      location,
      'cache-control': null,
    })
  })

  test.each([
    ['without maxAge it is that of the platform', {}, 'public, max-age=0, must-revalidate'],
    ['with maxAge: 0 it is ours', { maxAge: 0 }, 'public, max-age=0'],
    ['with maxAge it is ours', { maxAge: 9, immutable: true }, 'public, max-age=9, immutable'],
  ])('cache-control: %s', async (_, options, expected) => {
    const fetch = door({ use: [serveStatic({ root: 'unused', ...options })] })
    const response = await fetch('/a.txt', { ASSETS: assetsWith() })
    expect(response.headers.get('cache-control')).toBe(expected)
  })

  test.each([
    ['/files?x=1', { prefix: '/files' }, {}, './files/?x=1'],
    ['/app', {}, { basePath: '/app' }, './app/'],
  ])('the page of %s is redirected to %s, so that its links lead below it', async (path, options, setup, location) => {
    const response = await serve(options, setup)(path)
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({ status: 308, location })
  })

  test('the body of a 404 that is not sent is cancelled', async () => {
    const cancelled: string[] = []
    await serve()('/none', {}, { ASSETS: assetsWith([], cancelled) })
    await vi.waitFor(() => expect(cancelled).toEqual(['/none']))
  })

  test.each([
    ['no binding', {}],
    ['a binding of another kind', { ASSETS: { get: () => null } }],
  ])('%s is an error that names it', async (_, env) => {
    const response = await serve({}, { onError: (error: Error) => text(error.message) })('/a.txt', {}, env)
    expect(await response.text()).toBe(
      'serveStatic: this runtime has no files, and ctx.env.ASSETS is not a binding of assets',
    )
  })
})
