import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { basePath } from '../../src/base-path.ts'
import { apiReference } from '../../src/openapi/reference.ts'
import { pipe } from '../../src/pipe.ts'
import { blank } from '../../src/plan.ts'
import { findPackage as findOnEdge, readPackageFile as readOnEdge } from '../../src/runtime/edge/package-file.ts'
import { findPackage } from '../../src/runtime/node/package-file.ts'
import { toFetch } from '../../src/to-fetch.ts'

/** What stands for the package, so that this needs none. */
const folder = mkdtempSync(join(tmpdir(), 'sluice-reference-'))
writeFileSync(join(folder, 'swagger-ui.css'), 'css')
writeFileSync(join(folder, 'swagger-ui-bundle.js'), 'js')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
    ['an application', () => apiReference({ folder })(createApp()), '/reference', ''],
    [
      'an application with a base path',
      () => apiReference({ folder })(createApp({ basePath: '/api' })),
      '/api/reference',
      '/api',
    ],
    [
      'a mounted application',
      () => createApp().mount('/v1', apiReference({ folder })(createApp())),
      '/v1/reference',
      '/v1',
    ],
    [
      'a plan',
      () => ({ fetch: pipe(blank, apiReference({ folder }), basePath('/api'), toFetch) }),
      '/api/reference',
      '/api',
    ],
    ['a slash at the end', () => apiReference({ folder })(createApp()), '/reference/', ''],
    ['a path of its own', () => apiReference({ folder, path: '/docs/api' })(createApp()), '/docs/api', ''],
  ])('%s serves the page and all that it loads from itself', async (_, make, path, prefix) => {
    const app = make()
    const page = await textOf(app, path)
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, url]) => url!)
      .filter((url) => !url.startsWith('data:'))
    expect(loaded).toHaveLength(4)
    for (const url of loaded) expect(await textOf(app, url)).not.toBe('')
    const typeOf = async (url: string) =>
      (await app.fetch(new Request(`http://localhost${url}`))).headers.get('content-type')
    expect(await typeOf(path)).toBe('text/html; charset=utf-8')
    // `nosniff` of helmet refuses any other type
    for (const url of loaded)
      expect(await typeOf(url)).toBe(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
    expect(page).not.toMatch(/<script>|<style>|style=|onload|https?:/)
    const script = loaded.find((url) => url.endsWith('/reference.js'))!
    expect(await textOf(app, script)).toContain(`url: "${prefix}/openapi.json"`)
  })

  test('files of the package have a tag, and are not sent again', async () => {
    const app = apiReference({ folder })(createApp())
    const first = await app.request('/reference/swagger-ui.css')
    expect(first.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(await first.text()).toBe('css')
    const again = await app.request('/reference/swagger-ui.css', {
      headers: { 'if-none-match': first.headers.get('etag')! },
    })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(again.headers.get('cache-control')).toBe('public, max-age=3600')
  })

  test('a file that cannot be read is tried again', async () => {
    const error = console.error
    console.error = () => {}
    const late = mkdtempSync(join(tmpdir(), 'sluice-reference-'))
    const app = apiReference({ folder: late })(createApp())
    expect((await app.request('/reference/swagger-ui.css')).status).toBe(500)
    writeFileSync(join(late, 'swagger-ui.css'), 'now')
    expect(await (await app.request('/reference/swagger-ui.css')).text()).toBe('now')
    rmSync(late, { recursive: true })
    console.error = error
  })

  test('with assets elsewhere, no files are served and no package is needed', async () => {
    const app = apiReference({ assetsUrl: '/assets/swagger' })(createApp())
    expect(await textOf(app, '/reference')).toContain('src="/assets/swagger/swagger-ui-bundle.js"')
    expect((await app.request('/reference/swagger-ui.css')).status).toBe(404)
  })

  test('title and URL cannot break out of the page', async () => {
    const app = apiReference({ folder, title: '</title><script>x</script>', url: 'https://a.example/"\\' })(createApp())
    expect(await textOf(app, '/reference')).not.toContain('<script>')
    expect(await textOf(app, '/reference/reference.js')).toContain(JSON.stringify('https://a.example/"\\'))
  })

  test.each<[string, any, string]>([
    ['an unknown option', { titel: 'x' }, 'apiReference: titel: unknown option, did you mean "title"?'],
    ['a path with a parameter', { folder, path: '/:x' }, 'apiReference: path: expected a path such as "/reference"'],
    ['the root as its path', { folder, path: '/' }, 'apiReference: path'],
    [
      'another kind of URL',
      { folder, url: 'javascript:alert(1)' },
      'apiReference: url: expected a path or an http(s) URL',
    ],
    ['a URL of another host that looks like a path', { folder, url: '//evil.example' }, 'apiReference: url'],
  ])('%s is refused', (_, options, message) => expect(() => apiReference(options)).toThrow(message))

  test('without the package it says what to install', () => {
    if (findPackage('swagger-ui-dist')) return
    expect(() => apiReference()).toThrow('swagger-ui-dist is not installed: npm install swagger-ui-dist')
  })

  test('packages are found where they are installed, and nowhere on the edge', async () => {
    expect(findPackage('esbuild')).toMatch(/esbuild$/)
    expect(findPackage('no-such-package-anywhere')).toBeUndefined()
    expect(findOnEdge('esbuild')).toBeUndefined()
    await expect(readOnEdge('', 'x.css')).rejects.toThrow('This runtime has no files, and so no x.css')
  })
})
