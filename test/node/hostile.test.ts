import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { text } from '../../src/respond/text.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { listen, open, pause, statuses } from './wire.ts'

/** Sequences after those that broke parsers and proxies: CL.TE, TE.TE, CL.CL, chunk sizes, line ends, versions, methods, names, targets. */
const withHeaders =
  (...headers: string[]) =>
  (body = '') =>
    `POST / HTTP/1.1\r\nHost: a\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`
const lengths = [
  '0x3',
  '+3',
  '-3',
  ' 3',
  '3 ',
  '3,3',
  '3, 4',
  '3;3',
  '03',
  '3.0',
  '3e0',
  '0_3',
  '',
  ' ',
  'a',
  '3a',
  '٣',
  '9223372036854775808',
  '18446744073709551616',
  '99999999999999999999',
  '3\t',
  '\t3',
  '3\0',
  '"3"',
]
const codings = [
  'chunked',
  'Chunked',
  ' chunked',
  'chunked ',
  '\tchunked',
  '\x0bchunked',
  'chunked\x0b',
  'chunked,',
  ',chunked',
  'chunked,chunked',
  'chunked, identity',
  'identity, chunked',
  'identity',
  'gzip, chunked',
  'gzip',
  'xchunked',
  'chunkedx',
  '"chunked"',
  'chunked;q=1',
  'chunked\0',
  'ch\tunked',
  '',
  'cow, chunked',
]
const sizes = [
  '0x3',
  '+3',
  '-3',
  ' 3',
  '3 ',
  '3\t',
  '3;a=b',
  '3;a="\r\n"',
  '3;',
  '03',
  '0_3',
  '3\n',
  '3\r',
  'g',
  '',
  '3,3',
  'FFFFFFFFFFFFFFFFF',
  '10000000000000000',
  '3;\n',
  '3 ;a',
  '3\0',
]
const starts = [
  'GET / HTTP/1.1',
  'get / HTTP/1.1',
  'GET  / HTTP/1.1',
  'GET /  HTTP/1.1',
  'GET\t/ HTTP/1.1',
  'GET / HTTP/1.2',
  'GET / HTTP/2.0',
  'GET / HTTP/0.9',
  'GET / HTTP/1.0',
  'GET / http/1.1',
  'GET / HTTP/1.10',
  'GET / HTTP/01.1',
  'GET / HTTP/ 1.1',
  'GET / HTTP/1,1',
  'GET /',
  'GET',
  '',
  ' GET / HTTP/1.1',
  'GET / HTTP/1.1 ',
  'GET / HTTP/1.1 x',
  'GE T / HTTP/1.1',
  'GET /a b HTTP/1.1',
  'GET /\x01 HTTP/1.1',
  'GET /\x7f HTTP/1.1',
  'GET /\xff HTTP/1.1',
  'GET /\0 HTTP/1.1',
  'FOO / HTTP/1.1',
  '__proto__ / HTTP/1.1',
  'G\0T / HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET a HTTP/1.1',
  'GET http:// HTTP/1.1',
  'GET http://a:b/ HTTP/1.1',
  'GET http://[/ HTTP/1.1',
  'GET //a/b HTTP/1.1',
  'GET /%% HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'CONNECT / HTTP/1.1',
  'TRACE / HTTP/1.1',
  'PRI * HTTP/2.0',
  'HTTP/1.1 200 OK',
  '\x16\x03\x01\x02\0',
  'SSH-2.0-x',
  '{"a":1}',
  '<a>',
  'GET ? HTTP/1.1',
  'GET # HTTP/1.1',
  'GET /?\\ HTTP/1.1',
]
const fields = [
  'X: a\rb',
  'X: a\0b',
  'X: a\x01b',
  'X: a\x7fb',
  'X : a',
  ' X: a',
  '\tX: a',
  'X',
  ': a',
  'X\0: a',
  'X\x01: a',
  'X y: a',
  'X\t: a',
  '(X): a',
  'X: a\r\n b',
  'X: a\nY: b',
  'X: a\n\n',
  'Host: b',
  'Host: a b',
  'Content-Length: 3\nTransfer-Encoding: chunked',
  'Transfer_Encoding: chunked',
  'Connection: close, x\0',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Trailer: Content-Length',
  'X: \xff\xfe',
  '"X": a',
]
const endings = ['\r\n\n', '\n\n', '\n\r\n', '\r\r', '\r\n\r', '\r\n \r\n', '\r\n\0\r\n']

const sequences: (readonly [string, string])[] = [
  ...lengths.map((value) => [`Content-Length: ${value}`, withHeaders(`Content-Length: ${value}`)('abc')] as const),
  ...lengths.map(
    (value) =>
      [`Content-Length: 3 and ${value}`, withHeaders('Content-Length: 3', `Content-Length: ${value}`)('abc')] as const,
  ),
  ...codings.map(
    (value) =>
      [`Transfer-Encoding: ${value}`, withHeaders(`Transfer-Encoding: ${value}`)('3\r\nabc\r\n0\r\n\r\n')] as const,
  ),
  ...codings.map(
    (value) =>
      [
        `Transfer-Encoding: ${value}, with Content-Length`,
        withHeaders('Content-Length: 5', `Transfer-Encoding: ${value}`)('0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n'),
      ] as const,
  ),
  ...codings.map(
    (value) =>
      [
        `two codings, the second ${value}`,
        withHeaders('Transfer-Encoding: chunked', `Transfer-Encoding: ${value}`)('0\r\n\r\n'),
      ] as const,
  ),
  ...sizes.map(
    (value) =>
      [`chunk size ${value}`, withHeaders('Transfer-Encoding: chunked')(`${value}\r\nabc\r\n0\r\n\r\n`)] as const,
  ),
  ...starts.map((line) => [`start line ${line}`, `${line}\r\nHost: a\r\n\r\n`] as const),
  ...fields.map((line) => [`field ${line}`, `GET / HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`] as const),
  ...endings.map((end) => [`line end ${JSON.stringify(end)}`, `GET / HTTP/1.1\r\nHost: a${end}`] as const),
  ['a chunk without its end', withHeaders('Transfer-Encoding: chunked')('3\r\nabcd\r\n0\r\n\r\n')],
  ['a chunk that ends in LF', withHeaders('Transfer-Encoding: chunked')('3\nabc\n0\n\n')],
  ['trailers', withHeaders('Transfer-Encoding: chunked')('3\r\nabc\r\n0\r\nX: y\r\n\r\n')],
  ['trailers with a length', withHeaders('Transfer-Encoding: chunked')('0\r\nContent-Length: 3\r\n\r\n')],
  [
    'GET with a body that is a request',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 34\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n',
  ],
  ['empty lines first', '\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n'],
]

let ours: ServerHandle
let plain: Server

beforeAll(async () => {
  ours = await listen({ '*': async (ctx) => text(await ctx.text()) })
  plain = createServer((incoming, outgoing) => {
    incoming.resume()
    incoming.on('end', () => outgoing.end('ok'))
  })
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  plain.closeAllConnections()
  plain.close()
  await ours.close()
})

/** What a server says to bytes after which nothing more comes. */
const verdict = async (port: number, bytes: string): Promise<number[]> => {
  const wire = await open(port)
  wire.write(bytes)
  await pause(10)
  wire.socket.end()
  await wire.closed(3_000).catch(() => {})
  wire.end()
  return statuses(wire.text()).filter((status) => status !== 100)
}

test(`${sequences.length} hostile sequences: the verdict of a plain node:http server, or a stricter one, and never a 5xx`, async () => {
  expect(sequences.length).toBeGreaterThanOrEqual(140)
  const { port } = plain.address() as AddressInfo
  const worse: unknown[] = []
  for (let at = 0; at < sequences.length; at += 20) {
    await Promise.all(
      sequences.slice(at, at + 20).map(async ([name, bytes]) => {
        const [theirs, own] = await Promise.all([verdict(port, bytes), verdict(ours.port!, bytes)])
        const served = (list: number[]) => list.filter((status) => status < 400).length
        const looser = served(own) > served(theirs)
        if (looser || own.some((status) => status >= 500 && status !== 501)) worse.push({ name, theirs, own })
      }),
    )
  }
  expect(worse).toEqual([])
  expect(await verdict(ours.port!, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 'the server lives').toEqual([200])
}, 60_000)
