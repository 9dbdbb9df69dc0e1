import { describe, expect, test } from 'vitest'
import { addReload, createReload, RELOAD_PATH } from '../../generators/dev/reload.ts'
import { html } from '../../src/index.ts'

const asked = (headers: Record<string, string> = {}) =>
  new Request('http://localhost/', { headers: { 'sec-fetch-dest': 'document', ...headers } })
const page = (headers: Record<string, string> = {}) =>
  new Response('<p>ä</p>', {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-length': '9', ...headers },
  })
const HELMET =
  "default-src 'self';base-uri 'self';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'"

describe('P27: a page that a browser navigated to reloads', () => {
  test.each([
    ['as it is', {}],
    ['behind helmet', { 'content-security-policy': HELMET }],
  ])('%s: a script of its own origin is added, and the length is taken away', async (_, headers) => {
    const edited = addReload(asked(), page(headers))
    expect(await edited?.text()).toBe(`<p>ä</p>\n<script src="${RELOAD_PATH}" async></script>\n`)
    expect(edited?.headers.get('content-length')).toBeNull()
    expect(edited?.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('an answer of sluice, which is no Response of the platform, is added to as well', async () => {
    const edited = addReload(asked(), html('<p>x</p>', 404, { 'x-own': 'kept' }))
    expect(await edited?.text()).toContain(RELOAD_PATH)
    expect(edited?.status).toBe(404)
    expect(edited?.headers.get('x-own')).toBe('kept')
  })

  test.each([
    ['JSON', {}, { 'content-type': 'application/json' }],
    ['a request of a script', { 'sec-fetch-dest': 'empty' }, {}],
    ['a compressed response', {}, { 'content-encoding': 'gzip' }],
    ['a part', {}, { 'content-range': 'bytes 0-1/9' }],
  ])('%s stays as it is', (_, request, response) => {
    expect(
      addReload(asked(request as Record<string, string>), page(response as Record<string, string>)),
    ).toBeUndefined()
  })

  test('no body, no page', () => {
    expect(
      addReload(asked(), new Response(null, { status: 304, headers: { 'content-type': 'text/html' } })),
    ).toBeUndefined()
  })
})

describe('P27: what the script asks', () => {
  const ask = (reload: ReturnType<typeof createReload>, query = '', init: RequestInit = {}) =>
    reload.answer(new Request(`http://localhost:3000/__sluice/started${query}`, init))

  test('the process sends its name; a page that knows another one gets a reply at once', async () => {
    const reload = createReload('two')
    expect(await (await ask(reload))?.text()).toBe('two')
    expect(await (await ask(reload, '?known=one'))?.text()).toBe('two')
  })

  test('who knows it waits until the process ends, or goes away', async () => {
    const reload = createReload('one')
    const leaving = new AbortController()
    const waiting = ask(reload, '?known=one')
    const left = ask(reload, '?known=one', { signal: leaving.signal })
    expect(waiting).toBeInstanceOf(Promise)
    leaving.abort()
    await left
    expect(await Promise.race([waiting, 'waiting'])).toBe('waiting')
    reload.end()
    expect(await (await waiting)?.text()).toBe('one')
    // From here on nobody waits
    expect(ask(reload, '?known=one')).toBeInstanceOf(Response)
  })

  test('a bounded number waits', async () => {
    const reload = createReload('one')
    const answers = Array.from({ length: 60 }, () => ask(reload, '?known=one'))
    expect(answers.filter((answer) => answer instanceof Response)).toHaveLength(10)
    reload.end()
    await Promise.all(answers)
  })

  test.each([
    ['another site', '', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['another method', '', { method: 'POST' }],
  ])('%s gets the answer of the application', (_, query, init) => {
    expect(ask(createReload('one'), query, init)).toBeUndefined()
  })
})
