import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { serveStatic } from '../../src/static.ts'
import { freePort } from '../free-port.mjs'
import { MODIFIED, makeFolder } from './folder.ts'

const hasNginx = ((): boolean => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(!hasNginx && process.env.SLUICE_REQUIRE_SERVICES === '1')('MX15: nginx is there to compare with', () =>
  expect.fail('nginx is not installed: apt-get install -y nginx-light'),
)

const DAYS: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
}

const at = (seconds: number): string => new Date(MODIFIED.getTime() + seconds * 1000).toUTCString()

const RFC_850 = MODIFIED.toUTCString().replace(
  /^(\w{3}), (\d\d) (\w{3}) \d\d(\d\d)/,
  (_, day, date, month, year) => `${DAYS[day]}, ${date}-${month}-${year}`,
)
const ASCTIME = MODIFIED.toUTCString().replace(
  /^(\w{3}), 0?(\d+) (\w{3}) (\d{4}) (\S+) GMT$/,
  (_, day, date, month, year, time) => [day, month, date.padStart(2), time, year].join(' '),
)

/** Spelled as nginx takes it, or with what it takes as another thing. */
const RANGES = [
  ...['0-0', '0-9', '0-', '1-', '9-', '10-', '11-', '-1', '-9', '-10', '-11', '-0', '5-99', '8-999999999999', '3-3'],
  ...['0-0,2-2', '0-1, 4-5', '7-8,0-1,-1', '0-0,10-', '10-,11-', '10-,3-4', '0-9,0-0', '0-4,5-9', '0-5,5-9', '-3,0-0'],
  ...['0-3,2-4', '-1,-2', '0-0,1-1,2-2,3-3,4-4', ' 1-2', '1-2 ', '1-2 , 4-5', '0-0,-0', '-99,0-0', '9-9,0-0'],
]

/** With the headers, the answers to compare; what is different is said below. */
const CASES: readonly (readonly [string, string, Record<string, string>])[] = [
  ...RANGES.flatMap((range) =>
    ['/ten.txt', '/empty.txt', '/large.bin'].map(
      (path) => [`range ${range} of ${path}`, path, { range: `bytes=${range}` }] as const,
    ),
  ),
  ...[-1, 0, 1].flatMap((seconds) => [
    [`if-modified-since ${seconds}`, '/ten.txt', { 'if-modified-since': at(seconds) }] as const,
    [`if-unmodified-since ${seconds}`, '/ten.txt', { 'if-unmodified-since': at(seconds) }] as const,
    [`if-range ${seconds}`, '/ten.txt', { 'if-range': at(seconds), range: 'bytes=2-3' }] as const,
    [
      `if-unmodified-since ${seconds} and a range`,
      '/ten.txt',
      { 'if-unmodified-since': at(seconds), range: 'bytes=2-3' },
    ] as const,
  ]),
  ...['"x"', 'W/"x"', 'TAG', 'W/TAG', '"a", TAG', '"a",W/TAG', '*', '"a" , "b"'].flatMap((tag) => [
    [`if-none-match ${tag}`, '/ten.txt', { 'if-none-match': tag }] as const,
    [`if-match ${tag}`, '/ten.txt', { 'if-match': tag }] as const,
    [`if-range ${tag}`, '/ten.txt', { 'if-range': tag, range: 'bytes=2-3,5-6' }] as const,
    [`if-none-match ${tag} and a range`, '/ten.txt', { 'if-none-match': tag, range: 'bytes=2-3' }] as const,
    [`if-match ${tag} and a range`, '/ten.txt', { 'if-match': tag, range: 'bytes=2-3' }] as const,
  ]),
  ...['TAG', 'W/TAG', '"x"', 'x', at(0), at(-1), at(1), at(0).slice(5)].flatMap((condition) =>
    ['2-3', '2-3,5-6', '-99', '300000-', '-5'].map(
      (range) =>
        [
          `if-range ${condition} for ${range}`,
          '/large.bin',
          { 'if-range': condition, range: `bytes=${range}` },
        ] as const,
    ),
  ),
  ...['TAG, W/"x"', 'W/"a", W/TAG, "b"', '"a","b","c"', 'TAG,', ',TAG', '"a,TAG"', 'TAG "a"', '', 'W/"a", "b"'].flatMap(
    (list) => [
      [`if-none-match list ${list}`, '/ten.txt', { 'if-none-match': list }] as const,
      [`if-match list ${list}`, '/ten.txt', { 'if-match': list }] as const,
    ],
  ),
  ...[-1, 0].flatMap((seconds) =>
    ['TAG', '"x"'].flatMap((tag) => [
      [
        `if-none-match ${tag}, if-modified-since ${seconds}`,
        '/ten.txt',
        { 'if-none-match': tag, 'if-modified-since': at(seconds) },
      ] as const,
      [
        `if-match ${tag}, if-unmodified-since ${seconds}`,
        '/ten.txt',
        { 'if-match': tag, 'if-unmodified-since': at(seconds) },
      ] as const,
      [
        `if-unmodified-since ${seconds}, if-none-match ${tag}`,
        '/ten.txt',
        { 'if-unmodified-since': at(seconds), 'if-none-match': tag },
      ] as const,
    ]),
  ),
  ...['if-modified-since', 'if-unmodified-since'].flatMap((name) =>
    ['yesterday', '', RFC_850, ASCTIME, '0'].map((date) => [`${name}: ${date}`, '/ten.txt', { [name]: date }] as const),
  ),
  ...[
    'Bytes=0-1',
    'bytes =0-1',
    'bytes= 0-1',
    'bytes=0-1,',
    'bytes=,0-1',
    'bytes=-',
    'bytes=',
    'bytes=1-0',
    'bytes=0-1;2',
  ].map((range) => [`range spelled ${range}`, '/ten.txt', { range }] as const),
  ['a range of an index', '/sub/', { range: 'bytes=1-1' }],
  ...[
    ...[
      '/t%65n.txt',
      '/ten%2Etxt',
      '/ten%2etxt',
      '/sp%20ace.txt',
      '/a%2Bb.txt',
      '/a+b.txt',
      '/%E2%82%AC.txt',
      '/TEN.TXT',
    ],
    ...[
      '/ten.txt?x=1',
      '/ten.txt%3Fx=1',
      '/ten.txt?',
      '/./ten.txt',
      '/sub/../ten.txt',
      '/sub/%2e%2e/ten.txt',
      '//ten.txt',
    ],
    ...[
      '/sub//index.html',
      '/ten.txt%20',
      '/ten.txt%2F',
      '/sub%2Findex.html',
      '/sub%5Cindex.html',
      '/%',
      '/%zz',
      '/%2',
    ],
    ...[
      '/ten.txt/..',
      '/ten.txt/../ten.txt',
      '/sub/.',
      '/sub/./',
      '/none/../ten.txt',
      '/%2574en.txt',
      '/sub',
      '/%C0%AE/ten.txt',
    ],
  ].map((path) => [`path ${path}`, path, {}] as const),
  ['another unit', '/ten.txt', { range: 'lines=0-1' }],
  ['no unit', '/ten.txt', { range: '0-1' }],
  ['no file', '/none.txt', { range: 'bytes=0-1' }],
  ['gzip', '/script.js', { 'accept-encoding': 'gzip' }],
  ['gzip and a range', '/script.js', { 'accept-encoding': 'gzip', range: 'bytes=0-3' }],
  ['no gzip', '/script.js', { 'accept-encoding': 'gzip;q=0' }],
  ['no Accept-Encoding', '/script.js', {}],
  ['an index', '/sub/', {}],
  ['a file with a slash', '/ten.txt/', {}],
  ['a hidden escape', '/%2e%2e/secret.txt', {}],
  ['a NUL', '/ten.txt%00', {}],
]

/** What differs, by its reason. Everything else is equal. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'if-modified-since 1': 'nginx compares dates exactly unless told otherwise; RFC 9110 §13.1.3 compares times',
  gzip: 'nginx has no ranges of compressed copies, and RFC 9110 §14 has',
  'gzip and a range': 'the same',
  'if-none-match list TAG "a"':
    'a list without a comma is malformed: here the tags in it count, there it matches nothing',
  'if-match list TAG "a"': 'the same',
  'if-none-match TAG, if-modified-since -1':
    'RFC 9110 §13.1.3: the date is ignored beside If-None-Match; nginx asks both',
  'if-match TAG, if-unmodified-since -1': 'RFC 9110 §13.1.4: the date is ignored beside If-Match; nginx asks both',
  'if-unmodified-since: yesterday': 'RFC 9110 §13.1.4: what is no date is ignored; nginx answers 412',
  'if-unmodified-since: ': 'the same',
  'if-unmodified-since: 0': 'the same',
  'range spelled bytes=0-1,': 'RFC 9110 §5.6.1: a list may have empty elements; nginx answers 416',
  'range spelled bytes=,0-1': 'the same',
  'range spelled bytes =0-1': 'white space around = is accepted here; nginx ignores the range',
  'range spelled bytes=-': 'a malformed range is ignored (RFC 9110 §14.2); nginx answers 416',
  'range spelled bytes=1-0': 'the same',
  'range spelled bytes=0-1;2': 'the same',
  'path //ten.txt': 'nginx merges slashes; here an empty part is no file',
  'path /sub//index.html': 'the same',
  'path /sub%2Findex.html': 'nginx decodes before it splits the path; here an encoded slash is no separator',
  'path /%C0%AE/ten.txt': 'bytes that are no UTF-8 are a malformed escape here, and nginx looks for such a file',
  'path /ten.txt/..': 'it is the folder, which has no index: nginx answers 403, and here it is not there',
  'path /sub': 'nginx redirects by 301 to a whole URL, and here by 308 to a path',
  'a hidden escape': 'nginx answers 400 to what leads out, and here it is not there',
  'a NUL': 'the same',
}

interface Answer {
  readonly status: number
  readonly fields: Record<string, string>
  readonly body: string
}

const ask = (port: number, method: string, path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map((pair) => pair.join(': '))
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    )
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const whole = Buffer.concat(chunks).toString('latin1')
      const [head = ''] = whole.split('\r\n\r\n', 1)
      const [first = '', ...rest] = head.split('\r\n')
      const fields = Object.fromEntries(
        rest.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      )
      resolve({ status: Number(first.split(' ')[1]), fields, body: whole.slice(head.length + 4) })
    })
  })

/** What means the same on both: the boundary is chosen by each, types have no charset in nginx, errors have own pages. */
const comparable = ({ status, fields, body }: Answer): object => {
  const [, boundary] = /boundary=(.*)$/.exec(fields['content-type'] ?? '') ?? []
  const plain = (text = ''): string =>
    (boundary ? text.replaceAll(boundary, 'B') : text)
      .replace(/content-(type|range):/gi, (name) => name.toLowerCase())
      .replace(/; charset=utf-8/g, '')
  const failed = status >= 400
  return {
    status,
    body: failed ? '' : plain(body),
    range: fields['content-range'],
    coding: fields['content-encoding'],
    modified: failed ? undefined : fields['last-modified'],
    tagged: failed ? undefined : 'etag' in fields,
    type: failed || status === 304 ? undefined : plain(fields['content-type']),
    ranges: status === 200 && fields['accept-ranges'],
    // Boundaries have other lengths
    length: failed || boundary ? undefined : fields['content-length'],
  }
}

describe.runIf(hasNginx)(`MX15: answers are those of nginx`, () => {
  const script = 'let a = 1\n'.repeat(300)
  const folder = makeFolder({
    ...{ 'ten.txt': '0123456789', 'empty.txt': '', 'sub/index.html': 'sub' },
    ...{ 'sp ace.txt': 'space', 'a+b.txt': 'plus', '€.txt': 'euro' },
  })
  folder.write(
    'large.bin',
    new Uint8Array(300_000).map((_, index) => index % 251),
  )
  folder.write('script.js', script)
  execFileSync('gzip', ['-kn', join(folder.root, 'script.js')])
  chmodSync(folder.around, 0o755)
  chmodSync(folder.root, 0o755)
  let theirs = 0
  let ours = 0
  let stop = async (): Promise<void> => {}

  beforeAll(async () => {
    theirs = await freePort()
    const own = join(folder.around, 'nginx')
    mkdirSync(own)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${own}/${name};`,
    )
    writeFileSync(
      join(own, 'nginx.conf'),
      `daemon off; master_process off; pid ${own}/pid; error_log ${own}/error.log;
       events {}
       http {
         types { text/plain txt; text/javascript js; text/html html; application/octet-stream bin; }
         access_log off; ${temporary.join(' ')}
         server { listen 127.0.0.1:${theirs}; root ${folder.root}; gzip_static on; gzip_vary on; index index.html; }
       }`,
    )
    const nginx = spawn('nginx', ['-c', join(own, 'nginx.conf'), '-p', own], { stdio: 'ignore' })
    const gone = new Promise((resolve) => nginx.once('exit', resolve))
    for (;;) {
      const answered = await ask(theirs, 'GET', '/ten.txt', {}).catch(() => undefined)
      if (answered) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const app = createApp().use(serveStatic({ root: folder.root, precompressed: true, extensions: [] }))
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    ours = server.port!
    stop = async () => {
      nginx.kill()
      await gone
      await server.close()
    }
  })
  afterAll(async () => {
    await stop()
    folder.remove()
  })

  /** Each server's own tag stands for `TAG`. */
  const both = (method: string, path: string, headers: Record<string, string>): Promise<[Answer, Answer]> =>
    Promise.all(
      [theirs, ours].map(async (port) => {
        const { etag = '"none"' } = (await ask(port, 'HEAD', path, {})).fields
        const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('TAG', etag)])
        return ask(port, method, path, Object.fromEntries(filled))
      }),
    ) as Promise<[Answer, Answer]>

  test.each(CASES.filter(([title]) => !DIFFERENT[title]))('%s', async (_, path, headers) => {
    const [nginx, sluice] = await both('GET', path, headers)
    expect(comparable(sluice)).toEqual(comparable(nginx))
  })

  test.each(CASES.filter(([title]) => DIFFERENT[title]))('%s is different', async (title, path, headers) => {
    const [nginx, sluice] = await both('GET', path, headers)
    expect(comparable(sluice), DIFFERENT[title]).not.toEqual(comparable(nginx))
  })

  test.each(['0-1', '0-1,4-5', '-3', '99-'])(
    'HEAD ignores bytes=%s (RFC 9110 §14.2), and nginx does not',
    async (range) => {
      const [nginx, sluice] = await both('HEAD', '/ten.txt', { range: `bytes=${range}` })
      const [, whole] = await both('HEAD', '/ten.txt', {})
      expect(comparable(sluice)).toEqual(comparable(whole))
      expect(nginx.status).not.toBe(200)
    },
  )

  test.each(CASES.filter(([, , { range }]) => !range))('HEAD: %s', async (title, path, headers) => {
    if (DIFFERENT[title]) return
    const [nginx, sluice] = await both('HEAD', path, headers)
    expect(comparable(sluice)).toEqual(comparable(nginx))
  })
})
