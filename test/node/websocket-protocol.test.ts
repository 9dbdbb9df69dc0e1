import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { createApp } from '../../src/app.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { webSocket } from '../../src/websocket.ts'
import { runs } from '../fuzz.ts'
import { open } from './wire.ts'

/**
 * The cases of the Autobahn test suite, by its numbers, sent by hand to an echo of ours and to one of `ws` alone. Both
 * must answer with the bytes that the case expects. Its suite itself is a program of Python that cannot be had here.
 */
const MAX_PAYLOAD = 70_000
let ours: ServerHandle
let other: Server
const ports: number[] = []

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  ours = await createApp()
    .get(
      '/',
      webSocket(() => ({ message: (socket, message) => socket.send(message) }), { maxPayload: MAX_PAYLOAD }),
    )
    .listen({ port: 0, hostname: '127.0.0.1', graceMs: 300 })
  other = createServer()
  const echo = new WebSocketServer({ server: other, maxPayload: MAX_PAYLOAD, perMessageDeflate: false })
  echo.on('connection', (socket) => {
    socket.on('message', (message, binary) => socket.send(message, { binary }))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  ports.push(ours.port!, (other.address() as AddressInfo).port)
})
afterAll(async () => {
  await ours.close()
  other.closeAllConnections()
  other.close()
  vi.restoreAllMocks()
})

interface FrameOptions {
  readonly fin?: boolean
  readonly rsv?: number
  readonly mask?: readonly number[]
}

const [CONT, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const

/** One frame of a client (RFC 6455 §5.2). */
const frame = (
  opcode: number,
  payload: string | readonly number[] | Buffer = '',
  options: FrameOptions = {},
): Buffer => {
  const { fin = true, rsv = 0, mask = [0x37, 0xfa, 0x21, 0x3d] } = options
  const body = Buffer.from(payload as string)
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode]
  if (body.length < 126) head.push(0x80 | body.length)
  else if (body.length < 65_536) head.push(0x80 | 126, body.length >> 8, body.length & 255)
  else
    head.push(
      0x80 | 127,
      0,
      0,
      0,
      0,
      body.length >> 24,
      (body.length >> 16) & 255,
      (body.length >> 8) & 255,
      body.length & 255,
    )
  return Buffer.concat([Buffer.from(head), Buffer.from(mask), body.map((byte, at) => byte ^ mask[at % 4]!)])
}
const part = (opcode: number, payload: string | readonly number[] | Buffer): Buffer =>
  frame(opcode, payload, { fin: false })
const closing = (code: number, reason: string | Buffer = ''): Buffer =>
  frame(CLOSE, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason as string)]))

/** What a server sends, frame by frame: its kind, and its payload as latin1. */
type Sent = readonly [opcode: number, payload: string]

const closed = (code: number, reason: string | Buffer = ''): Sent => [
  CLOSE,
  Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason as string)]).toString('latin1'),
]
const said = (opcode: number, payload: string | readonly number[] | Buffer): Sent => [
  opcode,
  Buffer.from(payload as string).toString('latin1'),
]

/** The frames of a server. @throws for what a server may not send */
const framesOf = (bytes: Buffer): Sent[] => {
  const frames: Sent[] = []
  for (let at = 0; at < bytes.length; ) {
    const [first, second] = [bytes[at]!, bytes[at + 1]!]
    if (!(first & 0x80) || first & 0x70 || second & 0x80) throw new Error(`a frame begins with ${first} ${second}`)
    let length = second
    let begin = at + 2
    if (length === 126) {
      length = bytes.readUInt16BE(begin)
      begin += 2
    } else if (length === 127) {
      length = Number(bytes.readBigUInt64BE(begin))
      begin += 8
    }
    frames.push([first & 15, bytes.subarray(begin, begin + length).toString('latin1')])
    at = begin + length
  }
  return frames
}

const HANDSHAKE =
  'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** Send bytes in pieces of a size, then a close frame. @returns what the server has sent until it closed */
const talk = async (port: number, bytes: Buffer, size: number): Promise<Sent[]> => {
  const wire = await open(port)
  const received: Buffer[] = []
  wire.socket.on('data', (chunk: Buffer) => received.push(Buffer.from(chunk)))
  wire.socket.setNoDelay(true)
  wire.write(HANDSHAKE)
  await wire.until((text) => text.includes('\r\n\r\n'))
  const end = closing(1000, 'done')
  for (let at = 0; at < bytes.length && wire.socket.writable; at += size) {
    wire.write(bytes.subarray(at, at + size))
    if (size < 8) await new Promise((resolve) => setImmediate(resolve))
  }
  if (wire.socket.writable) wire.write(end)
  await wire.closed()
  const all = Buffer.concat(received)
  return framesOf(all.subarray(all.indexOf('\r\n\r\n') + 4))
}

const DONE = closed(1000, 'done')

/** @param expected what comes before the goodbye; a goodbye of its own is the last that comes */
const check = async (bytes: Buffer, expected: readonly Sent[], sizes: readonly number[]): Promise<void> => {
  const last = expected.at(-1)
  const all = last?.[0] === CLOSE ? expected : [...expected, DONE]
  for (const size of sizes) {
    const [mine, theirs] = await Promise.all(ports.map((port) => talk(port, bytes, size)))
    expect(mine, `pieces of ${size} bytes`).toEqual(all)
    expect(theirs, `ws, pieces of ${size} bytes`).toEqual(all)
  }
}

const WHOLE = 1 << 20
type Case = readonly [name: string, bytes: readonly Buffer[], expected: readonly Sent[]]

const LENGTHS = [0, 125, 126, 127, 128, 65_535, 65_536]
const FRAMING: Case[] = LENGTHS.flatMap((length): Case[] => [
  [`1.1: a text of ${length} bytes`, [frame(TEXT, '*'.repeat(length))], [said(TEXT, '*'.repeat(length))]],
  [`1.2: ${length} bytes`, [frame(BINARY, Buffer.alloc(length, 0xfe))], [said(BINARY, Buffer.alloc(length, 0xfe))]],
])

const PINGS: Case[] = [
  ['2.1: a ping without payload', [frame(PING)], [said(PONG, '')]],
  ['2.2: a ping with a text', [frame(PING, 'Hello, world!')], [said(PONG, 'Hello, world!')]],
  ['2.3: a ping with bytes', [frame(PING, [0, 0xff, 0xfe, 0xfd, 0])], [said(PONG, [0, 0xff, 0xfe, 0xfd, 0])]],
  ['2.4: a ping of 125 bytes', [frame(PING, Buffer.alloc(125, 0xfe))], [said(PONG, Buffer.alloc(125, 0xfe))]],
  ['2.5: a ping of 126 bytes', [frame(PING, Buffer.alloc(126, 0xfe))], [closed(1002)]],
  ['2.7: a pong that nobody asked for', [frame(PONG)], []],
  ['2.8: the same with a payload', [frame(PONG, 'unasked')], []],
  ['2.9: and a ping behind it', [frame(PONG, 'unasked'), frame(PING, 'asked')], [said(PONG, 'asked')]],
  [
    '2.10: ten pings',
    Array.from({ length: 10 }, (_, n) => frame(PING, `payload-${n}`)),
    Array.from({ length: 10 }, (_, n) => said(PONG, `payload-${n}`)),
  ],
]

const RESERVED: Case[] = [1, 2, 3, 4, 5, 6, 7].flatMap((rsv): Case[] => [
  [`3: a text with the reserved bits ${rsv}`, [frame(TEXT, 'a', { rsv })], [closed(1002)]],
  [
    `3: a good text, one with the reserved bits ${rsv}, a ping`,
    [frame(TEXT, 'good'), frame(TEXT, 'bad', { rsv }), frame(PING)],
    [said(TEXT, 'good'), closed(1002)],
  ],
  [`3: a ping with the reserved bits ${rsv}`, [frame(PING, '', { rsv })], [closed(1002)]],
  [`3: a close with the reserved bits ${rsv}`, [frame(CLOSE, '', { rsv })], [closed(1002)]],
])

const OPCODES: Case[] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((opcode): Case[] => [
  [`4: opcode ${opcode} without payload`, [frame(opcode)], [closed(1002)]],
  [
    `4: a good text, opcode ${opcode} with payload, a ping`,
    [frame(TEXT, 'good'), frame(opcode, 'bad'), frame(PING)],
    [said(TEXT, 'good'), closed(1002)],
  ],
])

const FRAGMENTS: Case[] = [
  ['5.1: a ping in two fragments', [part(PING, 'a'), frame(CONT, 'b')], [closed(1002)]],
  ['5.2: a pong in two fragments', [part(PONG, 'a'), frame(CONT, 'b')], [closed(1002)]],
  ['5.3: a text in two fragments', [part(TEXT, 'one'), frame(CONT, 'two')], [said(TEXT, 'onetwo')]],
  [
    '5.6: a ping between two fragments',
    [part(TEXT, 'one'), frame(PING, 'p'), frame(CONT, 'two')],
    [said(PONG, 'p'), said(TEXT, 'onetwo')],
  ],
  ['5.9: a continuation of nothing', [frame(CONT, 'a'), frame(TEXT, 'b')], [closed(1002)]],
  ['5.12: an unfinished continuation of nothing', [part(CONT, 'a'), frame(TEXT, 'b')], [closed(1002)]],
  [
    '5.15: a continuation behind a text that is complete',
    [part(TEXT, 'one'), frame(CONT, 'two'), part(CONT, 'three'), frame(TEXT, 'four')],
    [said(TEXT, 'onetwo'), closed(1002)],
  ],
  ['5.18: a text in the middle of a text', [part(TEXT, 'one'), frame(TEXT, 'two')], [closed(1002)]],
  [
    '5.19: five fragments with two pings in between',
    [
      part(TEXT, '1'),
      part(CONT, '2'),
      frame(PING, 'p1'),
      part(CONT, '3'),
      part(CONT, '4'),
      frame(PING, 'p2'),
      frame(CONT, '5'),
    ],
    [said(PONG, 'p1'), said(PONG, 'p2'), said(TEXT, '12345')],
  ],
  ['6.1: a text in three empty fragments', [part(TEXT, ''), part(CONT, ''), frame(CONT, '')], [said(TEXT, '')]],
]

/** Each as one frame, in two fragments cut at every byte, and a byte a fragment. */
const VALID = [
  'Hello-µ@ßöäüàá-UTF-8!!',
  'κόσμε',
  '\u0000',
  '\u0080',
  '\u0800',
  '\u{10000}',
  '\u007f',
  '\u07ff',
  '\uffff',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '\u{10ffff}',
  '\ufffe',
  '\u{1fffe}',
  '\u{10fffe}',
]
const INVALID: [string, number[]][] = [
  ['a byte of a sequence alone', [0x80]],
  ['two of them', [0x80, 0xbf]],
  ['the first byte of two and a blank', [0xc0, 0x20]],
  ['the first byte of three and a blank', [0xe0, 0x20]],
  ['the first byte of four and a blank', [0xf0, 0x20]],
  ['a sequence without its end', [0xce, 0xba, 0xe1, 0xbd]],
  ['bytes that no text has', [0xfe, 0xff]],
  ['"/" in two bytes', [0xc0, 0xaf]],
  ['"/" in three bytes', [0xe0, 0x80, 0xaf]],
  ['"/" in four bytes', [0xf0, 0x80, 0x80, 0xaf]],
  ['NUL in two bytes', [0xc0, 0x80]],
  ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['six bytes', [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]],
  ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a high surrogate', [0xed, 0xa0, 0x80]],
  ['a low surrogate', [0xed, 0xbf, 0xbf]],
  ['a pair of surrogates', [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80]],
  ['κόσμε, a surrogate, edited', [...Buffer.from('κόσμε'), 0xed, 0xa0, 0x80, ...Buffer.from('edited')]],
]
const byteByByte = (bytes: Buffer): Buffer[] =>
  Array.from(bytes, (byte, at) => frame(at ? CONT : TEXT, [byte], { fin: at === bytes.length - 1 }))
const UTF8: Case[] = [
  ...VALID.flatMap((text): Case[] => {
    const bytes = Buffer.from(text)
    const cuts = Array.from({ length: bytes.length }, (_, at) => [
      part(TEXT, bytes.subarray(0, at)),
      frame(CONT, bytes.subarray(at)),
    ])
    return [
      [
        `6.2: ${JSON.stringify(text)} in two fragments, cut at each byte`,
        cuts.flat(),
        cuts.map(() => said(TEXT, text)),
      ],
      [`6.5: ${JSON.stringify(text)}, a byte a fragment`, byteByByte(bytes), [said(TEXT, text)]],
    ]
  }),
  ...INVALID.flatMap(([name, bytes]): Case[] => [
    [`6.3: ${name}`, [frame(TEXT, bytes)], [closed(1007)]],
    [`6.3: ${name}, a byte a fragment`, byteByByte(Buffer.from(bytes)), [closed(1007)]],
  ]),
  ['6.3: any bytes in a binary message', [frame(BINARY, [0xed, 0xa0, 0x80])], [said(BINARY, [0xed, 0xa0, 0x80])]],
]

const CLOSES: Case[] = [
  ['7.1: a text behind a close', [frame(TEXT, 'a'), closing(1000), frame(TEXT, 'b')], [said(TEXT, 'a'), closed(1000)]],
  ['7.1: a close behind a close', [closing(1000), closing(1001)], [closed(1000)]],
  ['7.1: a ping behind a close', [closing(1000), frame(PING)], [closed(1000)]],
  ['7.1: a close in the middle of a text', [part(TEXT, 'a'), closing(1000), frame(CONT, 'b')], [closed(1000)]],
  ['7.3: a close without payload', [frame(CLOSE)], [said(CLOSE, '')]],
  ['7.3: a close of one byte', [frame(CLOSE, 'a')], [closed(1002)]],
  ['7.3: a close with a reason', [closing(1000, 'Hello world!')], [closed(1000, 'Hello world!')]],
  ['7.3: a reason of 123 bytes', [closing(1000, '*'.repeat(123))], [closed(1000, '*'.repeat(123))]],
  ['7.3: a reason of 124 bytes', [closing(1000, '*'.repeat(124))], [closed(1002)]],
  ['7.5: a reason that is no UTF-8', [closing(1000, Buffer.from([0xce, 0xba, 0xed, 0xa0, 0x80]))], [closed(1007)]],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map(
    (code): Case => [`7.7: the code ${code}`, [closing(code, 'why')], [closed(code, 'why')]],
  ),
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map(
    (code): Case => [`7.9: the code ${code}`, [closing(code)], [closed(1002)]],
  ),
]

const inFragments = (opcode: number, bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    frame(n ? CONT : opcode, bytes.subarray(n * size, (n + 1) * size), { fin: (n + 1) * size >= bytes.length }),
  )
const most = Buffer.alloc(MAX_PAYLOAD, 0x2a)
const LIMITS: Case[] = [
  ['9.1: a text of maxPayload', [frame(TEXT, most)], [said(TEXT, most)]],
  ...[64, 256, 1300, 16_384].map(
    (size): Case => [`9.3: maxPayload in fragments of ${size}`, inFragments(BINARY, most, size), [said(BINARY, most)]],
  ),
  ['9: a byte more in one frame', [frame(TEXT, Buffer.alloc(MAX_PAYLOAD + 1, 0x2a))], [closed(1009)]],
  ['9: a byte more in fragments', inFragments(TEXT, Buffer.alloc(MAX_PAYLOAD + 1, 0x2a), 1300), [closed(1009)]],
]

describe.each([
  ['framing', FRAMING],
  ['pings and pongs', PINGS],
  ['reserved bits', RESERVED],
  ['opcodes', OPCODES],
  ['fragments', FRAGMENTS],
  ['UTF-8', UTF8],
  ['closes', CLOSES],
  ['limits', LIMITS],
])('WS4: %s, as Autobahn has them', (_, cases) => {
  test.each(cases)('WS4: %s', async (_name, bytes, expected) => {
    const all = Buffer.concat(bytes)
    await check(all, expected, all.length < 200 ? [WHOLE, 1] : [WHOLE, 997])
  })
})

test('WS4: random frames get the same reaction from us as from plain ws', async () => {
  const options = fc.record({
    fin: fc.boolean(),
    rsv: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 4),
    mask: fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
  })
  const payload = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.array(fc.nat(255), { maxLength: 140 }))
  const opcode = fc.constantFrom(0, 0, 1, 1, 1, 2, 2, 9, 9, 10, 8, 3)
  const property = fc.asyncProperty(
    fc.array(fc.tuple(opcode, payload, options), { maxLength: 8 }),
    fc.constantFrom(WHOLE, 1, 3, 7),
    async (frames, size) => {
      const bytes = Buffer.concat(frames.map(([opcode, payload, options]) => frame(opcode, payload, options)))
      const [mine, theirs] = await Promise.all(ports.map((port) => talk(port, bytes, size)))
      expect(mine).toEqual(theirs)
    },
  )
  await fc.assert(property, { numRuns: runs(1000) })
})
