/**
 * Clients without manners. Each takes `(ports, say)`, lives for some seconds at the most, and hands what it was told to `say`: an answer of
 * 500 or above, but for 501, is a failure of the soak.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { connect } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { open, register } from './wire.mjs'

const HEAD = 'Host: soak\r\n'
/** A gzip bomb: 40 MB of zeros. */
const BOMB = gzipSync(Buffer.alloc(40_000_000))
const TLS = { secure: true }

/** One of the three servers, and how to talk HTTP/1.1 to it. */
const anyOf = (ports, options = {}) => {
  const index = randomInt(3)
  return open(ports[index], index ? { ...TLS, ...options } : options)
}

/** Lines that no parser should take. */
const MALFORMED = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  `GET / HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x`,
  `POST /raw HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n`,
  `POST /raw HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n`,
  `POST /raw HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`,
  'GET /%ff%fe/%zz HTTP/1.1\r\nHost: so ak\r\n\r\n',
  `GET http://[::1 HTTP/1.1\r\n${HEAD}\r\n`,
  `G\u0000T / HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /users/%E0%A4%A?q=%zz HTTP/1.1\r\n${HEAD}\r\n`,
  `GET / HTTP/1.1\r\n${HEAD}X: a\r\n b\r\n\r\n`,
  `TRACE / HTTP/1.1\r\n${HEAD}\r\n`,
  `\r\n\r\n\r\nGET /text HTTP/1.1\r\n${HEAD}\r\n`,
]

const post = (path, type, more, body) => `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: ${type}\r\n${more}\r\n${body}`

/** Send, wait a while for an answer, say it, go. */
const tell = async (say, wire, bytes, ms = 1_500) => {
  wire.send(bytes)
  await Promise.race([wire.until((text) => /\r\n\r\n/.test(text)), wire.rest(ms)])
  say(wire.text())
  wire.cut()
}

export const hostile = {
  async 'slow head'(ports, say) {
    const wire = anyOf(ports)
    wire.send('GET /text HTTP/1.1\r\nX-Slow: ')
    while (!wire.gone) {
      wire.send('x')
      await wire.rest(150)
    }
    say(wire.text())
  },
  async 'slow body'(ports, say) {
    const wire = anyOf(ports)
    wire.send(post(randomInt(2) ? '/raw' : '/users', 'application/json', 'Content-Length: 100000\r\n', '{"a":"'))
    while (!wire.gone) {
      wire.send('x')
      await wire.rest(200)
    }
    say(wire.text())
  },
  async 'aborted upload'(ports, say) {
    const wire = anyOf(ports)
    const path = ['/raw', '/through', '/upload', '/users'][randomInt(4)]
    wire.send(
      post(
        path,
        'multipart/form-data; boundary=b',
        'Content-Length: 900000\r\n',
        randomBytes(randomInt(1, 200_000)).toString('latin1'),
      ),
    )
    await wire.rest(randomInt(60))
    say(wire.text())
    if (randomInt(2)) wire.cut()
    else wire.end()
    await wire.over
  },
  async 'aborted download'(ports) {
    const wire = anyOf(ports)
    wire.send(`GET /blocks/${randomInt(20, 400)} HTTP/1.1\r\n${HEAD}\r\n`)
    await Promise.race([wire.until((text) => text.length > 100_000), wire.rest(500)])
    wire.cut()
  },
  async 'download never read'(ports) {
    const wire = anyOf(ports, { paused: true })
    wire.send(`GET /blocks/800 HTTP/1.1\r\n${HEAD}\r\n`)
    await wire.rest(randomInt(1_000, 8_000))
    wire.cut()
  },
  async 'events never read'(ports) {
    const wire = anyOf(ports, { paused: true })
    wire.send(`GET /events HTTP/1.1\r\n${HEAD}\r\n`)
    await wire.rest(randomInt(500, 8_000))
    wire.cut()
  },
  async pipelining(ports, say) {
    const wire = anyOf(ports)
    const count = 40
    wire.send(`GET /users/1?q=2 HTTP/1.1\r\n${HEAD}\r\n`.repeat(count))
    if (randomInt(3) === 0) {
      await wire.rest(5)
      return wire.cut()
    }
    const text = await wire.until((received) => received.split('{"id":"1","q":"2"}').length > count)
    say(text)
    if (text.split('{"id":"1","q":"2"}').length !== count + 1) say('HTTP/1.1 599 pipelined answers are missing')
    wire.cut()
  },
  async 'half-open CONNECT'(ports, say) {
    const wire = anyOf(ports, { half: true })
    wire.send('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
    await wire.rest(300)
    wire.send('bytes for nobody')
    await wire.rest(4_000)
    say(wire.text())
    wire.cut()
  },
  upgrade: (ports, say) =>
    tell(
      say,
      anyOf(ports),
      `GET /text HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    ),
  malformed: (ports, say) => tell(say, anyOf(ports), MALFORMED[randomInt(MALFORMED.length)]),
  async noise(ports) {
    const wire = open(ports[randomInt(3)])
    wire.send(randomBytes(randomInt(1, 5_000)))
    await wire.rest(500)
    wire.cut()
  },
  async silence(ports) {
    const wire = randomInt(2) ? open(ports[randomInt(3)]) : anyOf(ports)
    await wire.rest(3_000)
    wire.cut()
  },
  'big multipart': (ports, say) => {
    const file = `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(5_000_000)}\r\n--b--\r\n`
    const framing = randomInt(2) ? `Content-Length: ${file.length}\r\n` : 'Transfer-Encoding: chunked\r\n'
    const body = framing.startsWith('T') ? `${file.length.toString(16)}\r\n${file}\r\n0\r\n\r\n` : file
    return tell(say, anyOf(ports), post('/upload', 'multipart/form-data; boundary=b', framing, body))
  },
  'many parts': (ports, say) => {
    const parts = '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n'.repeat(5_000)
    const length = `Content-Length: ${parts.length}\r\n`
    return tell(say, anyOf(ports), post('/upload', 'multipart/form-data; boundary=b', length, parts))
  },
  bomb: async (ports, say) => {
    const wire = anyOf(ports)
    wire.send(post('/users', 'application/json', `Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n`, ''))
    await tell(say, wire, BOMB)
  },
  'deep json': (ports, say) => {
    const body = '['.repeat(100_000)
    return tell(say, anyOf(ports), post('/users', 'application/json', `Content-Length: ${body.length}\r\n`, body))
  },
  'wrong cookies': (ports, say) => {
    const id = randomBytes(16).toString('base64url')
    const cookie = [`session=${id}.${id}`, `session=${'x'.repeat(6_000)}`, '__proto__=1; session==;;=', `session=${id}`]
    return tell(say, anyOf(ports), `GET /count HTTP/1.1\r\n${HEAD}Cookie: ${cookie[randomInt(4)]}\r\n\r\n`)
  },
  'wrong credentials': (ports, say) => {
    const path = ['/key', '/bearer', '/basic'][randomInt(3)]
    const more = `X-Api-Key: ${'k'.repeat(3_000)}\r\nAuthorization: Basic ${'%'.repeat(40)}\r\n`
    return tell(say, anyOf(ports), `GET ${path} HTTP/1.1\r\n${HEAD}${more}\r\n`)
  },
  'header flood': (ports, say) => {
    const fields = randomInt(2)
      ? Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1\r\n`).join('')
      : `X-Long: ${'x'.repeat(100_000)}\r\n`
    return tell(say, anyOf(ports), `GET /text HTTP/1.1\r\n${HEAD}${fields}\r\n`)
  },
  'HTTP/2: streams reset at once': (ports) =>
    inSession(ports, 800, (session) => {
      for (let count = 0; count < 60; count++) {
        const stream = session.request({ ':path': count % 2 ? '/text' : '/blocks/50' })
        stream.on('error', () => {})
        if (count % 3) stream.close(8)
        else setTimeout(() => stream.close(8), randomInt(50))
      }
    }),
  'HTTP/2: answers never read': (ports) =>
    inSession(ports, randomInt(1_000, 8_000), (session) => {
      for (const path of ['/blocks/400', '/events', '/events'])
        session
          .request({ ':path': path })
          .on('error', () => {})
          .pause()
    }),
  'HTTP/2: uploads that stop': (ports) =>
    inSession(ports, randomInt(500, 9_000), (session) => {
      for (const path of ['/raw', '/through', '/upload']) {
        const stream = session.request({ ':path': path, ':method': 'POST', 'content-length': 1_000 })
        stream.on('error', () => {})
        stream.resume()
        stream.write('some')
      }
    }),
  async 'HTTP/2: noise after the preface'(ports) {
    const wire = open(ports[2], { secure: true, protocol: 'h2' })
    wire.send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    wire.send(randomBytes(randomInt(1, 2_000)))
    await wire.rest(1_000)
    wire.cut()
  },
}

const inSession = async (ports, ms, act) => {
  const session = connect(`https://127.0.0.1:${ports[2]}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  const over = new Promise((resolve) => session.once('close', resolve))
  session.once('connect', () => {
    try {
      act(session)
    } catch {
      // The server may have ended the session in between
    }
  })
  const timer = setTimeout(() => session.destroy(), ms)
  const forget = register(() => session.destroy())
  await over
  clearTimeout(timer)
  forget()
}
