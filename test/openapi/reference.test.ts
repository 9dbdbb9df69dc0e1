import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank } from '../../src/kernel/plan.ts'
import { basePath } from '../../src/kernel/scope.ts'
import { apiReference } from '../../src/openapi/reference.ts'
import { pipe } from '../../src/pipe.ts'

const textOf = async (
  app: { fetch(request: Request): Response | Promise<Response> },
  path: string,
): Promise<string> => {
  const response = await app.fetch(new Request(`http://localhost${path}`))
  expect(response.status).toBe(200)
  return response.text()
}

describe('OA8: the reference', () => {
  test.each<[string, () => any, string, string]>([
    ['an application', () => apiReference()(createApp()), '/reference', ''],
    [
      'an application with a base path',
      () => apiReference()(createApp({ basePath: '/api' })),
      '/api/reference',
      '/api',
    ],
    ['a mounted application', () => createApp().mount('/v1', apiReference()(createApp())), '/v1/reference', '/v1'],
    ['a plan', () => ({ fetch: pipe(blank, apiReference(), basePath('/api'), toFetch) }), '/api/reference', '/api'],
    ['a slash at the end', () => apiReference()(createApp()), '/reference/', ''],
    ['a path of its own', () => apiReference({ path: '/docs/api' })(createApp()), '/docs/api', ''],
  ])('%s serves the page and all that it loads from itself', async (_, make, path, prefix) => {
    const app = make()
    const page = await textOf(app, path)
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, url]) => url!)
      .filter((url) => !url.startsWith('data:'))
    expect(loaded).toHaveLength(2)
    for (const url of loaded) expect(await textOf(app, url)).not.toBe('')
    const typeOf = async (url: string) =>
      (await app.fetch(new Request(`http://localhost${url}`))).headers.get('content-type')
    expect(await typeOf(path)).toBe('text/html; charset=utf-8')
    // `nosniff` of helmet refuses any other type
    for (const url of loaded)
      expect(await typeOf(url)).toBe(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
    expect(page).not.toMatch(/<script>|<style>|style=|onload|https?:/)
    expect(page).toContain(`data-url="${prefix}/openapi.json"`)
  })

  test.each([
    ['/openapi.json', '/api/openapi.json'],
    ['/api/openapi.json', '/api/openapi.json'],
    ['/apis.json', '/api/apis.json'],
    ['https://a.example/openapi.json', 'https://a.example/openapi.json'],
  ])('NE5: below a base path, the document %s is %s', async (url, asked) => {
    const app = apiReference({ url })(createApp({ basePath: '/api' }))
    expect(await textOf(app, '/api/reference')).toContain(`data-url="${asked}"`)
  })

  test('title and URL cannot break out of the page', async () => {
    const app = apiReference({ title: '</title><script>x</script>', url: 'https://a.example/"\\' })(createApp())
    const page = await textOf(app, '/reference')
    expect(page).not.toContain('<script>')
    expect(page).toContain('data-url="https://a.example/&#34;\\"')
  })

  test.each<[string, any, string]>([
    ['an unknown option', { titel: 'x' }, 'apiReference: titel: unknown option, did you mean "title"?'],
    ['an option of the package that this used', { folder: 'x' }, 'apiReference: folder: unknown option'],
    ['a path with a parameter', { path: '/:x' }, 'apiReference: path: expected a path such as "/reference"'],
    ['the root as its path', { path: '/' }, 'apiReference: path'],
    ['another kind of URL', { url: 'javascript:alert(1)' }, 'apiReference: url: expected a path or an http(s) URL'],
    ['a URL of another host that looks like a path', { url: '//evil.example' }, 'apiReference: url'],
  ])('%s is refused', (_, options, message) => expect(() => apiReference(options)).toThrow(message))
})
