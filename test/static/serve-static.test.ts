import { createServer, request as httpRequest, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { serveStatic } from '../../src/static.ts'
import { runs } from '../fuzz.ts'
import { MODIFIED, makeFolder, SECRET } from './folder.ts'

// A dependency of Express, without types of its own; it stands on `send`
interface Refusal {
  readonly status: number
  readonly headers?: Record<string, string>
}
type Serve = (request: object, response: object, next: (error?: Refusal) => void) => void
const theirStatic: (root: string, options: object) => Serve = createRequire(
  createRequire(import.meta.url).resolve('express'),
)('serve-static')

const folder = makeFolder({
  'ten.txt': '0123456789',
  'empty.txt': '',
  'page.html': '<p>',
  'script.js': 'let a',
  'style.css': 'a {}',
  'picture.png': 'png',
  'data.json': '{}',
  'a b+c.txt': 'odd',
  '.hidden.txt': 'hidden',
  'sub/index.html': 'sub',
  'sub/more/deep.txt': 'deep',
  'none/only.txt': 'no index',
})
afterAll(folder.remove)

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const ask = (port: number, method: string, path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let body = ''
      response.setEncoding('latin1')
      response.on('data', (text) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    })
    request.on('error', reject)
    request.end()
  })

/** What means the same on both: a redirect to the directory, a file that is not for this client; JSON has no charset. */
const comparable = ({ status, headers, body }: Answer, path: string): object => {
  if (status === 301 || status === 308) return { redirects: new URL(headers.location!, `http://a${path}`).href }
  if (status === 400 || status === 403 || status === 404) return { refuses: true, secret: body.includes(SECRET) }
  const { 'content-type': type, 'last-modified': modified } = headers
  if (status > 400) return { status, range: headers['content-range'] }
  return {
    status,
    body,
    modified,
    type: type?.toLowerCase().replace(/^(application\/json); charset=utf-8$/, '$1'),
    length: headers['content-length'],
    range: headers['content-range'],
    ranges: status === 304 ? undefined : headers['accept-ranges'],
    cache: headers['cache-control'],
    tagged: 'etag' in headers,
  }
}

const listening: { close(): unknown }[] = []
afterAll(async () => {
  for (const server of listening) await server.close()
})
let ours = 0
let theirs = 0
beforeAll(async () => {
  const app = await createApp()
    .use(serveStatic({ root: folder.root }))
    .listen({ port: 0, hostname: '127.0.0.1', graceMs: 100 })
  const serve = theirStatic(folder.root, { fallthrough: false })
  const listener: RequestListener = (request, response) =>
    serve(request, response, (error) => response.writeHead(error?.status ?? 404, error?.headers).end('none'))
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  listening.push(app, server)
  ours = app.port!
  theirs = (server.address() as AddressInfo).port
})

const at = (seconds: number): string => new Date(MODIFIED.getTime() + seconds * 1000).toUTCString()

/** Without what differs on purpose: a directory without an index is not there, and `%2f` divides no names. */
const paths = fc.constantFrom(
  ...['/ten.txt', '/ten.txt', '/empty.txt', '/page.html', '/script.js', '/style.css', '/picture.png', '/data.json'],
  ...['/a%20b+c.txt', '/a%20b%2Bc.txt', '/ten%2etxt', '/TEN.txt', '/none.txt', '/ten.txt/', '/ten.txt?x=1', '/'],
  ...['/sub', '/sub/', '/sub?x=1', '/sub/index.html', '/sub/more/deep.txt', '/sub/more/', '/none/'],
  ...['/.hidden.txt', '/sub/../ten.txt', '/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt'],
  ...['/ten.txt%00', '/%', '/%zz', '/%ff', '/..%5csecret.txt', '/sub/%2e%2e/%2e%2e/secret.txt'],
)

/** Without what it refuses and RFC 9110 §14.1 does not: a suffix longer than the file, and a range that ends before it begins. */
const ranges = fc.constantFrom(
  ...['0-0', '0-', '0-9', '1-3', '9-', '9-9', '10-', '11-12', '-1', '-0', '5-99', 'x', '-', '0', ''],
)
const dates = fc.constantFrom(at(-1), at(0), at(1), 'never')
const tags = fc.constantFrom('TAG', '"x"', '*', '"x", TAG', '"x","y"')
const fields = fc.record(
  {
    range: ranges.map((range) => `bytes=${range}`),
    // It takes a later date too, and RFC 9110 §13.1.5 only the same one
    'if-range': fc.constantFrom(at(-1), at(0), 'never', '"x"'),
    'if-match': tags,
    'if-none-match': tags,
    'if-modified-since': dates,
    'if-unmodified-since': dates,
  },
  { requiredKeys: [] },
)

test('MX15: for any path, range and precondition the answer is that of serve-static', async () => {
  // Both tags are of the same file, each in its own form
  const tagOf = async (port: number, path: string) => (await ask(port, 'GET', path, {})).headers.etag ?? '"none"'
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'GET', 'HEAD'), paths, fields, async (method, path, given) => {
      const answerOf = async (port: number): Promise<object> => {
        const tag = await tagOf(port, path)
        const headers = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, `${value}`.replace('TAG', tag)]),
        )
        return comparable(await ask(port, method, path, headers), path)
      }
      // It has ranges of HEAD, and RFC 9110 §14.2 defines them for GET only
      fc.pre(method === 'GET' || given.range === undefined)
      // It refuses ranges of an empty file, and nginx sends the file, as nginx.e2e.ts shows
      fc.pre(path !== '/empty.txt' || given.range === undefined)
      expect({ method, path, given, answer: await answerOf(ours) }).toEqual({
        method,
        path,
        given,
        answer: await answerOf(theirs),
      })
    }),
    { numRuns: runs(4000, 20) },
  )
}, 60_000)
