import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { compression } from '../src/middleware/compression.ts'
import { problemJson } from '../src/problem-json.ts'
import { text } from '../src/respond/text.ts'
import { type StaticOptions, serveStatic } from '../src/static.ts'
import { doors } from './harness.ts'
import { MODIFIED, makeFolder } from './static/folder.ts'

const DATE = MODIFIED.toUTCString()
const LATER = new Date(MODIFIED.getTime() + 2000).toUTCString()
const EARLIER = new Date(MODIFIED.getTime() - 2000).toUTCString()
const LONG = 'a line of text that shrinks\n'.repeat(200)

const folder = makeFolder({
  'index.html': '<h1>home</h1>',
  'a.txt': '0123456789',
  'empty.txt': '',
  'about.html': 'about',
  'docs/index.html': 'docs',
  'both/index.html': 'both as a directory',
  'both.html': 'both as a file',
  'bare/x.txt': 'x',
  'with space é.txt': 'odd',
  '.hidden': 'hidden',
  '.git/config': 'hidden',
  'sub/.env': 'hidden',
  '.well-known/security.txt': 'contact',
  'sub/.well-known/x.txt': 'hidden',
  'app.js': LONG,
  'app.js.br': brotliCompressSync(LONG),
  'app.js.gz': gzipSync(LONG),
  'app.js.zst': 'as if it were zstd',
  'plain.js': LONG,
  'unknown.qqq': 'bytes',
  'a.woff2': 'font',
  UPPER: 'no extension',
  'large.bin': new Uint8Array(200_000).map((_, at) => at % 251),
})
afterAll(folder.remove)
const tag = (name: string, suffix = ''): string => {
  const { size, mtimeMs } = statSync(join(folder.root, name))
  return `"${size.toString(16)}-${Math.round(mtimeMs * 1000).toString(16)}${suffix}"`
}

describe.each(doors)('serveStatic through %s', (_, door) => {
  const serve = (options: Partial<StaticOptions> = {}, routes: any[] = []) =>
    door({ use: [serveStatic({ root: folder.root, ...options })], routes })
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    options: Partial<StaticOptions> = {},
    method = 'GET',
  ) => serve(options)(new Request(`http://localhost${path}`, { method, headers }))

  test.each([
    ['if-none-match: * is a 304', { 'if-none-match': '*' }, 304],
    ['if-match: * is a 200', { 'if-match': '*' }, 200],
    ['a tag in if-none-match is a 200', { 'if-none-match': '"x"' }, 200],
    ['a tag in if-match is a 412', { 'if-match': '"x"' }, 412],
  ])('MX15: without tags %s', async (_, headers, status) => {
    const response = await ask('/a.txt', headers as Record<string, string>, { etag: false })
    expect({ status: response.status, etag: response.headers.get('etag') }).toEqual({ status, etag: null })
  })

  test.each<[string, string, Partial<StaticOptions>, string | number]>([
    ['a file', '/a.txt', {}, '0123456789'],
    ['an empty file', '/empty.txt', {}, ''],
    ['the index of the root', '/', {}, '<h1>home</h1>'],
    ['the index of a directory', '/docs/', {}, 'docs'],
    ['another index', '/bare/', { index: 'x.txt' }, 'x'],
    ['no index', '/docs/', { index: false }, 404],
    ['a directory without an index', '/bare/', {}, 404],
    ['a directory without an index and a slash', '/bare', {}, 404],
    ['a file with a slash behind it', '/a.txt/', {}, 404],
    ['a file below a file', '/a.txt/b', {}, 404],
    ['a name with escapes', '/with%20space%20%C3%A9.txt', {}, 'odd'],
    ['an escape of a letter', '/%61.txt', {}, '0123456789'],
    ['a second decoding is not done', '/%2561.txt', {}, 404],
    ['two slashes', '//a.txt', {}, 404],
    ['two slashes within', '/docs//index.html', {}, 404],
    ['two slashes alone', '//', {}, 404],
    ['a file that does not exist', '/none', {}, 404],
    ['an extension is not guessed', '/about', {}, 404],
    ['an extension that may be left out', '/about', { extensions: ['htm', 'html'] }, 'about'],
    ['a file goes before the directory of its name', '/both', { extensions: ['html'] }, 'both as a file'],
    ['and the directory with its slash', '/both/', { extensions: ['html'] }, 'both as a directory'],
    ['a name of 255 bytes', `/${'n'.repeat(255)}`, {}, 404],
    ['a name that is too long for any system', `/${'n'.repeat(1900)}`, {}, 404],
    ['a path that is too long', `/${'n/'.repeat(3000)}`, {}, 404],
    ['a name of the prototype', '/constructor', {}, 404],
    ['a hidden file', '/.hidden', {}, 404],
    ['a hidden file, allowed', '/.hidden', { dotfiles: 'allow' }, 'hidden'],
    ['a hidden file, denied', '/.hidden', { dotfiles: 'deny' }, 403],
    ['a hidden file that is not there, denied', '/.none', { dotfiles: 'deny' }, 403],
    ['a hidden folder', '/.git/config', {}, 404],
    ['a hidden file deeper', '/sub/.env', {}, 404],
    ['a hidden file by an escape', '/%2ehidden', {}, 404],
    ['a hidden file by an escape, denied', '/sub/%2Eenv', { dotfiles: 'deny' }, 403],
    ['a file below .well-known', '/.well-known/security.txt', {}, 'contact'],
    ['a file below .well-known in another folder is not', '/sub/.well-known/x.txt', {}, 404],
  ])('MX15: %s', async (_, path, options, expected) => {
    const response = await ask(path, {}, options)
    const body = await response.text()
    if (typeof expected === 'number') expect(response.status).toBe(expected)
    else expect({ status: response.status, body }).toEqual({ status: 200, body: expected })
  })

  test.each([
    ['/a.txt', 'text/plain; charset=utf-8'],
    ['/', 'text/html; charset=utf-8'],
    ['/app.js', 'text/javascript; charset=utf-8'],
    ['/a.woff2', 'font/woff2'],
    ['/unknown.qqq', 'application/octet-stream'],
    ['/UPPER', 'application/octet-stream'],
  ])('MX15: the media type of %s is %s', async (path, type) => {
    const response = await ask(path)
    await response.text()
    expect(response.headers.get('content-type')).toBe(type)
  })

  test('MX15: own media types go before ours', async () => {
    const response = await ask('/unknown.qqq', {}, { types: { QQQ: 'application/x-q', txt: 'text/x-own' } })
    expect(response.headers.get('content-type')).toBe('application/x-q')
  })

  test('MX15: the fields of a file', async () => {
    const response = await ask('/a.txt', {}, { maxAge: 3600, immutable: true })
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600, immutable',
      'content-length': '10',
      'content-type': 'text/plain; charset=utf-8',
      etag: tag('a.txt'),
      'last-modified': DATE,
    })
  })

  test('MX15: without etag, a file is to be asked for again', async () => {
    const response = await ask('/a.txt', {}, { etag: false })
    expect(response.headers.has('etag')).toBe(false)
    expect(response.headers.get('cache-control')).toBe('public, max-age=0')
  })

  test('MX15: HEAD answers with the fields of GET and ignores a range', async () => {
    const [head, get] = [await ask('/large.bin', { range: 'bytes=0-1' }, {}, 'HEAD'), await ask('/large.bin')]
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' })
    expect([...head.headers]).toEqual([...get.headers])
    expect((await get.arrayBuffer()).byteLength).toBe(200_000)
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('MX15: %s goes on to the routes', async (method) => {
    const fetch = serve({}, [['*', '/a.txt', () => text('route')]])
    expect(await (await fetch(new Request('http://localhost/a.txt', { method }))).text()).toBe('route')
  })

  test.each([
    ['/docs', './docs/'],
    ['/docs?x=1&y=//evil', './docs/?x=1&y=//evil'],
    ['/d%6Fcs', './d%6Fcs/'],
  ])('MX15: the directory %s is a 308 to %s', async (path, location) => {
    const response = await ask(path)
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({ status: 308, location })
    expect(new URL(location, `http://localhost${path}`).pathname).toMatch(/^\/d(o|%6F)cs\/$/)
  })

  test.each(['//docs', '//evil.example/docs', '/%2fdocs', '/\\docs', '/%5cdocs', '///docs', '/%2F%2Fdocs/%2e%2e'])(
    'MX15: %s is redirected to no other host',
    async (path) => {
      const response = await ask(path)
      expect(response.headers.get('location') ?? './').toMatch(/^\.\/(?![/\\])/)
    },
  )

  test.each<[string, Record<string, string>, number]>([
    ['the same tag', { 'if-none-match': tag('a.txt') }, 304],
    ['the same tag, weak', { 'if-none-match': `W/${tag('a.txt')}` }, 304],
    ['a list with it', { 'if-none-match': `"x", W/"y,z", ${tag('a.txt')}` }, 304],
    ['any', { 'if-none-match': '*' }, 304],
    ['another tag', { 'if-none-match': '"x"' }, 200],
    ['a tag that only begins so', { 'if-none-match': tag('a.txt').slice(0, -2) }, 200],
    ['the same time', { 'if-modified-since': DATE }, 304],
    ['a later time', { 'if-modified-since': LATER }, 304],
    ['an earlier time', { 'if-modified-since': EARLIER }, 200],
    ['no time', { 'if-modified-since': 'yesterday' }, 200],
    ['a time in another form', { 'if-modified-since': 'Monday, 06-May-24 07:08:09 GMT' }, 304],
    ['a time of C', { 'if-modified-since': 'Mon May  6 07:08:09 2024' }, 304],
    ['a number as the time', { 'if-modified-since': '2030' }, 200],
    ['another tag goes before the same time', { 'if-none-match': '"x"', 'if-modified-since': LATER }, 200],
    ['the same tag goes before an earlier time', { 'if-none-match': tag('a.txt'), 'if-modified-since': EARLIER }, 304],
    ['if-match with the tag', { 'if-match': tag('a.txt') }, 200],
    ['if-match with any', { 'if-match': '*' }, 200],
    ['if-match with another', { 'if-match': '"x"' }, 412],
    ['if-match with the weak tag', { 'if-match': `W/${tag('a.txt')}` }, 412],
    ['unmodified since', { 'if-unmodified-since': DATE }, 200],
    ['modified since', { 'if-unmodified-since': EARLIER }, 412],
    ['no time to be unmodified since', { 'if-unmodified-since': 'x' }, 200],
    ['if-match goes before if-unmodified-since', { 'if-match': tag('a.txt'), 'if-unmodified-since': EARLIER }, 200],
    ['412 goes before 304', { 'if-match': '"x"', 'if-none-match': tag('a.txt') }, 412],
    ['304 after an if-match that holds', { 'if-match': '*', 'if-none-match': tag('a.txt') }, 304],
    ['304 goes before a range', { range: 'bytes=0-1', 'if-none-match': tag('a.txt') }, 304],
    ['412 goes before a range', { range: 'bytes=0-1', 'if-match': '"x"' }, 412],
    ['if-range with the tag', { range: 'bytes=0-1', 'if-range': tag('a.txt') }, 206],
    ['if-range with the weak tag', { range: 'bytes=0-1', 'if-range': `W/${tag('a.txt')}` }, 200],
    ['if-range with another tag', { range: 'bytes=0-1', 'if-range': '"x"' }, 200],
    ['if-range with the time', { range: 'bytes=0-1', 'if-range': DATE }, 206],
    ['if-range with a later time', { range: 'bytes=0-1', 'if-range': LATER }, 200],
    ['if-range with an earlier time', { range: 'bytes=0-1', 'if-range': EARLIER }, 200],
    ['if-range with nonsense', { range: 'bytes=0-1', 'if-range': 'x' }, 200],
    ['if-range saves a range that cannot be had', { range: 'bytes=99-', 'if-range': '"x"' }, 200],
  ])('MX15: preconditions: %s', async (_, headers, status) => {
    const response = await ask('/a.txt', headers)
    const body = await response.text()
    expect(response.status).toBe(status)
    if (status === 304) {
      expect(body).toBe('')
      expect(response.headers.get('last-modified')).toBe(DATE)
      expect(response.headers.has('content-length')).toBe(false)
    }
  })

  test.each<[string, string | undefined, string]>([
    ['bytes=0-0', 'bytes 0-0/10', '0'],
    ['bytes=0-9', 'bytes 0-9/10', '0123456789'],
    ['bytes=2-', 'bytes 2-9/10', '23456789'],
    ['bytes=9-', 'bytes 9-9/10', '9'],
    ['bytes=-1', 'bytes 9-9/10', '9'],
    ['bytes=-10', 'bytes 0-9/10', '0123456789'],
    ['bytes=-99', 'bytes 0-9/10', '0123456789'],
    ['bytes=5-99', 'bytes 5-9/10', '56789'],
    ['BYTES = 1-2', 'bytes 1-2/10', '12'],
    ['bytes= 1-2 ,', 'bytes 1-2/10', '12'],
    ['bytes=1-2,10-', 'bytes 1-2/10', '12'],
    ['bytes=8-99999999999999999999', 'bytes 8-9/10', '89'],
  ])('MX15: the range %s is %s', async (range, contentRange, body) => {
    const response = await ask('/a.txt', { range })
    expect({
      status: response.status,
      'content-range': response.headers.get('content-range'),
      text: await response.text(),
    }).toEqual({ status: 206, 'content-range': contentRange, text: body })
    expect(response.headers.get('content-length')).toBe(`${body.length}`)
  })

  test.each(['bytes=10-', 'bytes=10-11', 'bytes=-0', 'bytes=11-,12-', 'bytes=99999999999999999999-'])(
    'MX15: the range %s is a 416',
    async (range) => {
      const response = await ask('/a.txt', { range })
      expect({ status: response.status, 'content-range': response.headers.get('content-range') }).toEqual({
        status: 416,
        'content-range': 'bytes */10',
      })
      expect(await response.json()).toMatchObject({ error: 'Range Not Satisfiable' })
    },
  )

  test.each([
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=2-1',
    'bytes=a-b',
    'bytes=1',
    'bytes=1-2-3',
    'bytes=0x1-2',
    'lines=0-1',
    '0-1',
    'bytes',
    'bytes=0-9,0-0',
    'bytes=0-9,0-9',
    'bytes=0-,0-,0-',
    `bytes=${Array.from({ length: 101 }, () => '0-0').join()}`,
  ])('MX15: the range %s is ignored', async (range) => {
    const response = await ask('/a.txt', { range })
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '0123456789' })
  })

  test('MX15: several ranges are parts in their order, and their length is told', async () => {
    const response = await ask('/a.txt', { range: 'bytes=7-8, 0-1, -1' })
    const [, boundary] = /^multipart\/byteranges; boundary=([\w-]+)$/.exec(response.headers.get('content-type')!)!
    const body = await response.text()
    const head = (range: string): string =>
      `\r\n--${boundary}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes ${range}/10\r\n\r\n`
    expect(body).toBe(`${head('7-8')}78${head('0-1')}01${head('9-9')}9\r\n--${boundary}--\r\n`)
    expect({ status: response.status, 'content-length': response.headers.get('content-length') }).toEqual({
      status: 206,
      'content-length': `${body.length}`,
    })
    expect(response.headers.has('content-range')).toBe(false)
  })

  test('MX15: large parts are the bytes of the file', async () => {
    const response = await ask('/large.bin', { range: 'bytes=0-99999,100001-199999' })
    const body = new Uint8Array(await response.arrayBuffer())
    expect(body.byteLength).toBe(Number(response.headers.get('content-length')))
    const at = Buffer.from(body).indexOf('bytes 100001-199999/200000\r\n\r\n') + 30
    expect([...body.subarray(at, at + 3)]).toEqual([100_001 % 251, 100_002 % 251, 100_003 % 251])
  })

  test.each([
    [100, 206],
    [101, 200],
  ])('MX15: %i parts of a large file are a %i', async (count, status) => {
    const response = await ask('/large.bin', { range: `bytes=${Array.from({ length: count }, () => '0-0').join()}` })
    expect(response.status).toBe(status)
    await response.arrayBuffer()
  })

  test.each([
    ['bytes=0-', 200],
    ['bytes=-5', 200],
    ['bytes=1-', 416],
  ])('MX15: the range %s of an empty file is a %s', async (range, status) => {
    expect((await ask('/empty.txt', { range })).status).toBe(status)
  })

  test.each<[string, string | undefined, StaticOptions['precompressed'], string | null]>([
    ['brotli', 'gzip, br', true, 'br'],
    ['the preferred coding', 'gzip;q=1, br;q=0.5', true, 'gzip'],
    ['zstd', 'zstd, gzip', true, 'zstd'],
    ['everything', '*', true, 'br'],
    ['only what is listed', 'br, gzip', ['gzip'], 'gzip'],
    ['a refused coding', 'br;q=0', true, null],
    ['a coding with a lower weight than the plain file', 'br;q=0.5, identity', true, null],
    ['no field', undefined, true, null],
    ['an empty field', '', true, null],
    ['another coding', 'deflate', true, null],
    ['a prototype', 'constructor, __proto__', true, null],
    ['a coding as welcome as the plain file', 'br;q=0.5, identity;q=0.5', true, 'br'],
    ['a coding that is there twice', 'br;q=0.5, br;q=0', true, 'br'],
    ['not asked for', 'br', false, null],
  ])('MX15: precompressed: %s', async (_, accepted, precompressed, coding) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const response = await ask('/app.js', headers, { precompressed: precompressed! })
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(response.headers.get('vary')).toBe(precompressed ? 'Accept-Encoding' : null)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('etag')).toBe(
      coding ? tag(`app.js.${{ br: 'br', zstd: 'zst', gzip: 'gz' }[coding]}`, `-${coding}`) : tag('app.js'),
    )
    await response.arrayBuffer()
  })

  test('MX15: a file without a compressed copy is sent plain, and varies', async () => {
    const response = await ask('/plain.js', { 'accept-encoding': 'br' }, { precompressed: true })
    expect({
      'content-encoding': response.headers.get('content-encoding'),
      vary: response.headers.get('vary'),
    }).toEqual({ 'content-encoding': null, vary: 'Accept-Encoding' })
    expect(await response.text()).toBe(LONG)
  })

  test('MX15: a tag of the compressed copy is its own', async () => {
    const headers = { 'accept-encoding': 'br', 'if-none-match': tag('app.js') }
    expect((await ask('/app.js', headers, { precompressed: true })).status).toBe(200)
    const own = { 'accept-encoding': 'br', 'if-none-match': tag('app.js.br', '-br') }
    const response = await ask('/app.js', own, { precompressed: true })
    expect({ status: response.status, vary: response.headers.get('vary') }).toEqual({
      status: 304,
      vary: 'Accept-Encoding',
    })
  })

  test.each([
    ['outside', (one: any) => [compression(), one]],
    ['inside', (one: any) => [one, compression()]],
  ])('MX15: with compression %s, a compressed file is asked for again by its weak tag', async (where, order) => {
    const fetch = door({ use: order(serveStatic({ root: folder.root })) })
    const get = (headers: Record<string, string>) => fetch(new Request('http://localhost/plain.js', { headers }))
    const first = await get({ 'accept-encoding': 'gzip' })
    const compressed = where === 'outside'
    expect(first.headers.get('content-encoding')).toBe(compressed ? 'gzip' : null)
    const etag = first.headers.get('etag')!
    expect(etag).toBe(compressed ? `W/${tag('plain.js')}` : tag('plain.js'))
    await first.arrayBuffer()
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })
    expect({ status: again.status, etag: again.headers.get('etag'), text: await again.text() }).toEqual({
      status: 304,
      etag,
      text: '',
    })
    const part = await get({ 'accept-encoding': 'gzip', range: 'bytes=0-5' })
    expect({
      status: part.status,
      'content-encoding': part.headers.get('content-encoding'),
      text: await part.text(),
    }).toEqual({ status: 206, 'content-encoding': null, text: 'a line' })
  })

  test.each<[string, string, Record<string, string>, number, string]>([
    ['a navigation', '/users/7', { 'sec-fetch-mode': 'navigate' }, 200, '<h1>home</h1>'],
    ['a page by its type', '/users/7', { accept: 'text/html,*/*;q=0.8' }, 200, '<h1>home</h1>'],
    ['a script', '/none.js', { 'sec-fetch-mode': 'no-cors', accept: '*/*' }, 404, '{"error":"Not Found"}'],
    [
      'a fetch that takes HTML',
      '/x',
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: 'text/html' },
      404,
      '{"error":"Not Found"}',
    ],
    // `fetch` of Node, which proxies use, sends its own mode in place of the client's
    ...['document', 'iframe', 'frame'].map((dest): [string, string, Record<string, string>, number, string] => [
      `a navigation of a ${dest} through a proxy`,
      '/users/7',
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': dest, accept: 'text/html' },
      200,
      '<h1>home</h1>',
    ]),
    [
      'a page by its type through a proxy',
      '/users/7',
      { 'sec-fetch-mode': 'cors', accept: 'text/html' },
      200,
      '<h1>home</h1>',
    ],
    [
      'an image through a proxy',
      '/none.png',
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'image', accept: 'image/*' },
      404,
      '{"error":"Not Found"}',
    ],
    ['what is no type of HTML', '/x', { accept: 'text/htmlish' }, 404, '{"error":"Not Found"}'],
    ['a client that takes all', '/x', { accept: '*/*' }, 404, '{"error":"Not Found"}'],
    ['a route', '/api', { 'sec-fetch-mode': 'navigate' }, 200, 'api'],
    ['a path that leads out', '/%2e%2e%2fsecret.txt', { 'sec-fetch-mode': 'navigate' }, 200, '<h1>home</h1>'],
  ])('MX15: fallback: %s', async (_, path, headers, status, body) => {
    const fetch = serve({ fallback: 'index.html' }, [['GET', '/api', () => text('api')]])
    const response = await fetch(new Request(`http://localhost${path}`, { headers }))
    expect({ status: response.status, text: await response.text() }).toEqual({ status, text: body })
    if (body.startsWith('<h1>')) expect(response.headers.get('cache-control')).toBe('no-cache')
    // NA15: the page and the 404 depend on the same fields
    const vary = 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Accept-Encoding'
    expect(response.headers.get('vary')).toBe(path === '/api' ? null : vary)
  })

  test.each([
    ['index.html', '<h1>home</h1>', 1],
    ['none.html', 'not here', 0],
  ])('MX15: the fallback %s in place of a 404 that streams: %s', async (fallback, body, cancels) => {
    let cancelled = 0
    const notFound = () =>
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              controller.enqueue(new TextEncoder().encode('not here'))
              controller.close()
            },
            cancel: () => {
              cancelled++
            },
          },
          { highWaterMark: 0 },
        ),
        { status: 404 },
      )
    const fetch = door({ use: [serveStatic({ root: folder.root, fallback })], notFound })
    const response = await fetch(new Request('http://localhost/x', { headers: { accept: 'text/html' } }))
    expect({ text: await response.text(), cancelled }).toEqual({ text: body, cancelled: cancels })
  })

  test('MX15: a prefix is cut off at a slash', async () => {
    const fetch = serve({ prefix: '/assets' })
    const statuses = await Promise.all(
      ['/assets/a.txt', '/a.txt', '/assetsa.txt', '/assetsxa.txt', '/assets/'].map(
        async (path) => (await fetch(path)).status,
      ),
    )
    expect(statuses).toEqual([200, 404, 404, 404, 200])
    const response = await fetch('/assets?x')
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 308,
      location: './assets/?x',
    })
  })

  test('MX15: files stand below the base path', async () => {
    const fetch = door({ use: [serveStatic({ root: folder.root })], basePath: '/app' })
    expect({ below: (await fetch('/app/a.txt')).status, outside: (await fetch('/a.txt')).status }).toEqual({
      below: 200,
      outside: 404,
    })
  })

  test('MX15: refusals take the form of problemJson', async () => {
    const fetch = door({ use: [serveStatic({ root: folder.root })], ...problemJson() })
    const response = await fetch(new Request('http://localhost/a.txt', { headers: { 'if-match': '"x"' } }))
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  test('MX15: a file that is gone is not found, and a new one is', async () => {
    const fetch = serve()
    folder.write('come.txt', 'one')
    expect(await (await fetch('/come.txt')).text()).toBe('one')
    folder.write('come.txt', 'other')
    expect(await (await fetch('/come.txt')).text()).toBe('other')
    rmSync(join(folder.root, 'come.txt'))
    expect((await fetch('/come.txt')).status).toBe(404)
  })

  test.each([
    ['a large file', undefined],
    ['parts of it, the first one small', 'bytes=0-1,5-90000'],
    ['parts of it, the last one small', 'bytes=0-90000,90005-90006'],
  ])('MX15: %s that changes before it is read fails, and is not mixed', async (_, range) => {
    folder.write('change.bin', new Uint8Array(100_000))
    const response = await ask('/change.bin', range ? { range } : {})
    folder.write('change.bin', new Uint8Array(99_999))
    await expect(response.arrayBuffer()).rejects.toThrow('changed while it was sent')
  })

  test('MX15: a root that is not there has no files', async () => {
    expect((await serve({ root: join(folder.around, 'none') })('/a.txt')).status).toBe(404)
  })
})

test.each<[string, object]>([
  ['serveStatic: root: expected a folder, got ""', { root: '' }],
  ['serveStatic: root: expected a string, got 7', { root: 7 }],
  ['serveStatic: rot: unknown option, did you mean "root"?', { root: 'x', rot: 'x' }],
  ['serveStatic: index: expected the name of a file, or false, got "../x"', { root: 'x', index: '../x' }],
  ['serveStatic: index: expected the name of a file, or false, got true', { root: 'x', index: true }],
  ['serveStatic: extensions: expected a list such as ["html"], got [".html"]', { root: 'x', extensions: ['.html'] }],
  ['serveStatic: dotfiles: expected "ignore", "deny" or "allow", got "no"', { root: 'x', dotfiles: 'no' }],
  ['serveStatic: maxAge: expected a whole number of seconds from 0, got "1y"', { root: 'x', maxAge: '1y' }],
  ['serveStatic: immutable: expected maxAge as well, got true', { root: 'x', immutable: true }],
  ['serveStatic: immutable: expected maxAge as well, got true', { root: 'x', immutable: true, maxAge: 0 }],
  ['serveStatic: precompressed: expected a boolean, or', { root: 'x', precompressed: ['deflate'] }],
  ['serveStatic: fallback: expected a file below the root, got "../x"', { root: 'x', fallback: '../x' }],
  ['serveStatic: prefix: expected a path such as "/assets", got "assets"', { root: 'x', prefix: 'assets' }],
  ['serveStatic: prefix: expected a path such as "/assets", got "/assets/"', { root: 'x', prefix: '/assets/' }],
  ['serveStatic: types: expected media types', { root: 'x', types: { x: 'a\nb' } }],
  ['serveStatic: types: expected media types', { root: 'x', types: { x: 7 } }],
])('MX15: %s', (message, options) => {
  expect(() => serveStatic(options as never)).toThrow(message)
})

test('MX15: a root that does not exist is said once, at the first file that is missing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const app = createApp().use(serveStatic({ root: './nope' }))
  const statuses = [(await app.request('/a.txt')).status, (await app.request('/b.txt')).status]
  expect({ statuses, warnings: warn.mock.calls }).toEqual({
    statuses: [404, 404],
    warnings: [['serveStatic: root: there is no folder "./nope"']],
  })
  warn.mockRestore()
})
