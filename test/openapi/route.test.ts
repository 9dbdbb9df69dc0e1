import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route } from '../../src/kernel/plan.ts'
import { basePath, mount } from '../../src/kernel/scope.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { openapiRoute } from '../../src/openapi.ts'
import { pipe } from '../../src/pipe.ts'
import { problemJson } from '../../src/problem-json.ts'
import { json } from '../../src/respond/json.ts'
import { createApp as createTiny } from '../../src/tiny.ts'
import { string } from '../../src/z/string.ts'

const options = { info: { title: 'Test', version: '1' } }
const ok = (): Response => json({})
const serve = openapiRoute('/openapi.json', options)
type Fetch = (request: Request) => Response | Promise<Response>

const made: readonly [string, () => Fetch][] = [
  ['createApp', () => serve(createApp().get('/a', ok)).fetch],
  ['tiny', () => serve(createTiny().get('/a', ok)).fetch],
  ['pipe', () => pipe(blank, route('GET', '/a', ok), serve, toFetch)],
]

const ask = async (
  fetch: Fetch,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> => fetch(new Request(`http://localhost${path}`, { headers, method }))
const pathsOf = async (fetch: Fetch, path: string): Promise<string[]> =>
  Object.keys((await (await ask(fetch, path)).json()).paths)

describe.each(made)('OA7: the document of %s', (_, make) => {
  test('is served as JSON, without its own route', async () => {
    const response = await ask(make(), '/openapi.json')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await response.json()).toMatchObject({ openapi: '3.1.1', info: options.info, paths: { '/a': {} } })
    expect(await pathsOf(make(), '/openapi.json')).toEqual(['/a'])
  })

  test.each([
    ['the tag', (tag: string) => tag, 304],
    ['the tag as a weak one', (tag: string) => `W/${tag}`, 304],
    ['several tags', (tag: string) => `"x", ${tag}`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"x"', 200],
    ['the tag without quotes', (tag: string) => tag.slice(1, -1), 200],
  ])('If-None-Match with %s', async (_, field, status) => {
    const fetch = make()
    const tag = (await ask(fetch, '/openapi.json')).headers.get('etag')!
    const response = await ask(fetch, '/openapi.json', { 'if-none-match': field(tag) })
    expect(response.status).toBe(status)
    expect(response.headers.get('etag')).toBe(tag)
    expect((await response.text()).length > 0).toBe(status === 200)
  })

  test('HEAD has the fields and no body', async () => {
    const response = await ask(make(), '/openapi.json', {}, 'HEAD')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
    expect(response.headers.get('etag')).not.toBeNull()
  })
})

describe('OA7: where the document is', () => {
  test.each<[string, string, () => Fetch]>([
    [
      'of the application',
      '/openapi.json',
      () => serve(createApp({ ...problemJson() }).post('/a', validateBody(string()), ok)).fetch,
    ],
    [
      'of a mounted application',
      '/v1/openapi.json',
      () =>
        createApp().mount('/v1', serve(createApp({ ...problemJson() }).post('/a', validateBody(string()), ok))).fetch,
    ],
  ])('refusals are Problem Details where the onError %s says so', async (_, path, make) => {
    const response = await ask(make(), path)
    expect(Object.keys((await response.json()).components.schemas)).toContain('ProblemDetails')
  })

  test('routes that were added later are in it', async () => {
    const app = serve(createApp())
    app.get('/later', ok)
    expect(await pathsOf(app.fetch, '/openapi.json')).toEqual(['/later'])
  })

  test('it is made once for a prefix, and anew for another one', async () => {
    let read = 0
    const info = {
      title: 'Test',
      get version() {
        return `${++read}`
      },
    }
    const app = openapiRoute('/openapi.json', { info })(createApp().get('/a', ok))
    const twice = createApp().mount('/v1', app).mount('/v2', app)
    expect(await pathsOf(twice.fetch, '/v1/openapi.json')).toEqual(['/v1/a'])
    const before = read
    expect(await pathsOf(twice.fetch, '/v1/openapi.json')).toEqual(['/v1/a'])
    expect(read).toBe(before)
    expect(await pathsOf(twice.fetch, '/v2/openapi.json')).toEqual(['/v2/a'])
  })

  test.each<[string, () => Fetch, string, string[]]>([
    [
      'an application with a base path',
      () => serve(createApp({ basePath: '/api' }).get('/a', ok)).fetch,
      '/api/openapi.json',
      ['/api/a'],
    ],
    [
      'a mounted application',
      () => createApp().mount('/v1', serve(createApp().get('/a', ok))).fetch,
      '/v1/openapi.json',
      ['/v1/a'],
    ],
    [
      'a mounted application with a base path',
      () => createApp({ basePath: '/x' }).mount('/v1', serve(createApp({ basePath: '/y' }).get('/a', ok))).fetch,
      '/x/v1/y/openapi.json',
      ['/x/v1/y/a'],
    ],
    [
      'a plan below a base path',
      () => pipe(blank, route('GET', '/a', ok), serve, basePath('/api'), toFetch),
      '/api/openapi.json',
      ['/api/a'],
    ],
    [
      'a plan whose base path came first',
      () => pipe(blank, route('GET', '/a', ok), basePath('/api'), serve, toFetch),
      '/openapi.json',
      ['/api/a'],
    ],
    [
      'a mounted plan',
      () => pipe(blank, mount('/m', pipe(blank, route('GET', '/a', ok), serve)), toFetch),
      '/m/openapi.json',
      ['/m/a'],
    ],
    ['a slash at the end', () => serve(createApp().get('/a', ok)).fetch, '/openapi.json/', ['/a']],
  ])('%s', async (_, make, path, paths) => expect(await pathsOf(make(), path)).toEqual(paths))

  test('an error of the document is the answer of each request, not a hung one', async () => {
    const app = createApp()
    openapiRoute('/openapi.json', { ...options })(app)
    const { describe: describeRoute } = await import('../../src/openapi.ts')
    for (const path of ['/a', '/b']) app.get(path, describeRoute({ operationId: 'same' }), ok)
    const error = console.error
    console.error = () => {}
    for (let round = 0; round < 2; round++) expect((await app.request('/openapi.json')).status).toBe(500)
    console.error = error
  })

  test('bad options are refused when it is made', () => {
    expect(() => openapiRoute('/x', {} as never)).toThrow('openapiRoute: info: expected a title and a version')
    expect(() => openapiRoute('/x', { ...options, paths: {} } as never)).toThrow('openapiRoute: paths: unknown option')
  })
})
