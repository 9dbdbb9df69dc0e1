import assert from 'node:assert/strict'
import { Agent, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CERT, KEY } from './certificate.mjs'
import { within } from './child.mjs'
import { ask, until } from './client.mjs'
import { connect as connectSocket } from './websocket.mjs'

const refused = (origin) =>
  ask(origin, { line: 'GET /', agent: false }).then(
    () => assert.fail('still accepts'),
    (error) => assert.equal(error.code, 'ECONNREFUSED'),
  )

const get = (options, send = plain) =>
  within(
    5000,
    new Promise((resolve, reject) => {
      const sent = send({ path: '/', agent: false, ...options }, (got) => {
        let text = ''
        got.on('data', (chunk) => {
          text += chunk
        })
        got.on('end', () => resolve({ status: got.statusCode, text }))
        got.on('error', reject)
      })
      sent.on('error', reject)
      sent.end()
    }),
    'an answer',
  )

/** One request by hand: all bytes until the server closes. */
const raw = (url, path, ms = 5000) => bytes(url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close`, ms)

/** All bytes until the server closes, for the lines of a request. */
const bytes = (url, lines, ms = 5000) =>
  within(
    ms,
    new Promise((resolve) => {
      let text = ''
      const { hostname, port } = new URL(url)
      const socket = connect(port, hostname, () => socket.write(`${lines}\r\n\r\n`))
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    }),
    'the end of the connection',
  )

const local = { port: 0, hostname: '127.0.0.1' }

/** `listen` and its handle, on runtimes with sockets: `[sentence, (say, name) => …]`; `say` commands the server process. */
export const lifecycle = [
  [
    'R8 listen gives port, name and URL, and calls back with the port',
    async (say) => {
      const { port, hostname, url, called, disposes } = await say('listen', { id: 'a', options: local })
      assert.ok(port > 0)
      assert.deepEqual(
        { hostname, url, called, disposes },
        { hostname: '127.0.0.1', url: `http://127.0.0.1:${port}`, called: port, disposes: 'function' },
      )
      assert.equal((await ask(url, 'GET /')).text, 'here')
      const taken = await say('listen', { id: 'b', options: { ...local, port } })
      assert.match(`${taken.code} ${taken.error}`, /EADDRINUSE|AddrInUse|in use/)
      await say('close', { id: 'a' })
      await refused(url)
    },
  ],
  [
    'OP4 workers are refused where the runtime has none',
    async (say, name) => {
      // Node would start this server once more
      const { error } = await say('listen', {
        id: 'workers',
        options: { ...local, workers: name.startsWith('node') ? 0 : 2 },
      })
      assert.match(
        error,
        name.startsWith('node') ? /from 1 to 1024, got 0/ : /^listen: workers: expected nothing, since only Node/,
      )
    },
  ],
  [
    'OP4 http2 is refused on Bun, which has none',
    async (say, name) => {
      const options = { ...local, http2: true, tls: { key: KEY, cert: CERT } }
      const { error } = await say('listen', { id: 'http2', options })
      if (name === 'bun') return assert.match(error, /^listen: http2: expected nothing, since Bun/)
      assert.equal(error, undefined)
      await say('close', { id: 'http2' })
    },
  ],
  [
    'listen on all addresses answers on localhost, whose URL it gives',
    async (say) => {
      const { url } = await say('listen', { id: 'all', options: { port: 0 } })
      assert.match(url, /^http:\/\/localhost:\d+$/)
      assert.equal((await ask(url.replace('localhost', '127.0.0.1'), 'GET /')).text, 'here')
      await say('close', { id: 'all' })
    },
  ],
  [
    'close lets a request in flight finish, and takes no new one',
    async (say) => {
      const { url } = await say('listen', { id: 'slow', options: local })
      const slow = ask(url, { line: 'GET /slow', agent: new Agent() })
      await new Promise((resolve) => setTimeout(resolve, 100))
      const closing = say('close', { id: 'slow' })
      await new Promise((resolve) => setTimeout(resolve, 100))
      await refused(url)
      assert.deepEqual([(await slow).status, (await slow).text], [200, 'finished'])
      assert.ok((await closing).ms < 3000)
    },
  ],
  [
    'OP1 a request in flight is told that the server drains, and ends well',
    async (say) => {
      const { url } = await say('listen', { id: 'drain', options: local })
      const waits = ask(url, { line: 'GET /until-drain', agent: new Agent() })
      await new Promise((resolve) => setTimeout(resolve, 100))
      await say('close', { id: 'drain' })
      assert.deepEqual([(await waits).status, (await waits).text], [200, 'told'])
    },
  ],
  [
    'close does not wait for idle connections',
    async (say) => {
      const agent = new Agent({ keepAlive: true })
      const { url } = await say('listen', { id: 'idle', options: local })
      assert.equal((await ask(url, { line: 'GET /', agent })).text, 'here')
      assert.ok((await say('close', { id: 'idle' })).ms < 2500)
      agent.destroy()
    },
  ],
  [
    'close waits no longer than graceMs, and cuts what is left',
    async (say) => {
      const { url } = await say('listen', { id: 'endless', options: { ...local, graceMs: 300 } })
      let sent
      const cut = new Promise((resolve) => {
        sent = plain(`${url}/endless`, { agent: false }, (got) => {
          got.resume()
          got.on('error', resolve)
          got.on('close', resolve)
        })
        sent.on('error', resolve)
        sent.end()
      })
      await new Promise((resolve) => setTimeout(resolve, 100))
      const { ms } = await say('close', { id: 'endless' })
      assert.ok(ms > 200 && ms < 3000, `closed after ${ms} ms`)
      await within(3000, cut, 'the end of the connection')
    },
  ],
  [
    'close ends streams and requests without an answer after graceMs, on connections that stay open',
    async (say) => {
      const { url } = await say('listen', { id: 'cut', options: { ...local, graceMs: 300 } })
      const before = await say('seen')
      const streams = ['', '-platform', '-page', '-edited', '-compressed'].map((kind) => `/endless${kind}`)
      const ends = [...streams, '/never'].map((path) =>
        bytes(url, `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip`),
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
      await say('close', { id: 'cut' })
      const cut = await Promise.all(ends)
      const never = cut.pop()
      for (const got of cut) {
        assert.match(got, /^HTTP\/1.1 200/)
        assert.doesNotMatch(got, /\r\n0\r\n\r\n$/, 'a stream that was cut looks complete')
      }
      assert.match(never, /^(HTTP\/1.1 503 |$)/)
      // A pull that had begun ends
      await new Promise((resolve) => setTimeout(resolve, 100))
      const { pulled, cancelled } = await say('seen')
      assert.equal(cancelled, before.cancelled + streams.length)
      await new Promise((resolve) => setTimeout(resolve, 200))
      assert.equal((await say('seen')).pulled, pulled)
    },
  ],
  [
    'F5 a client that leaves during its upload is a 400 that nobody logs',
    async (say) => {
      const { url } = await say('listen', { id: 'left', options: local })
      const before = await say('seen')
      for (const part of ['Content-Length: 70\r\n\r\n{"a"', 'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n'])
        for (const way of ['end', 'destroy']) {
          const { hostname, port } = new URL(url)
          const socket = connect(Number(port), hostname).on('error', () => {})
          socket.write(`POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${part}`)
          await pause(100)
          socket[way]()
          await pause(100)
          socket.destroy()
        }
      const { left, reported } = await say('seen')
      assert.deepEqual([left, reported], [[...before.left, 400, 400, 400, 400], before.reported])
      await say('close', { id: 'left' })
    },
  ],
  [
    'a Host that is no host is a 400, and never part of the path',
    async (say) => {
      const { url } = await say('listen', { id: 'hosts', options: local })
      const before = (await say('seen')).reported.length
      // Twice, because a server may keep the host of the last request
      for (const host of [
        'a/nope?',
        'a/nope#',
        'a/nope',
        'a?',
        'a#',
        'a\\b',
        'u@a',
        'a b',
        'a, b',
        '%zz',
        '<',
        'a:99999',
        '[::1',
      ])
        for (const target of ['/target', '/one/two', '/one/two', '/zzz'])
          assert.match(
            await bytes(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`),
            /^HTTP\/1.1 400 [\s\S]*\{"error":"Bad Request"\}/,
            `${host} ${target}`,
          )
      for (const [head, expected] of [
        ['GET /target HTTP/1.1\r\nHost: a:80', '/target a'],
        ['GET /one/two?q=/x HTTP/1.1\r\nHost: [::1]:80', '/one/two [::1]'],
        ['GET http://b/nope HTTP/1.1\r\nHost: a', 'another route'],
        ['GET /target HTTP/1.0', '/target localhost'],
        ['GET /one/two HTTP/1.0', '/one/two localhost'],
      ])
        assert.ok((await bytes(url, `${head}\r\nConnection: close`)).split('\r\n\r\n')[1]?.includes(expected), head)
      assert.match(await bytes(url, 'GET /target HTTP/1.1\r\nHost:\r\nConnection: close'), /^HTTP\/1.1 (400|200) /)
      assert.equal((await say('seen')).reported.length, before, 'nothing is logged')
      await say('close', { id: 'hosts' })
    },
  ],
  [
    'dot segments are resolved before a guard with a path is asked',
    async (say) => {
      const { url } = await say('listen', { id: 'dots', options: local })
      const got = async (path) => {
        const [head, text] = (await raw(url, path)).split('\r\n\r\n')
        return `${head.slice(9, 12)} ${text}`
      }
      for (const path of [
        'a/../secret/x',
        './secret/x',
        '%2e/secret/x',
        'a/%2E%2e/secret/x',
        'a/.%2e/secret/x',
        '..\\guarded\\secret\\x',
      ])
        assert.match(await got(`/guarded/${path}`), /^403 /, path)
      assert.match(await got('/x/../guarded/secret/y'), /^403 /)
      for (const [path, rest, pathname] of [
        ['a/.b/c', 'a/.b/c', '/guarded/a/.b/c'],
        ['a%2Eb', 'a.b', '/guarded/a%2Eb'],
        ['a?b=/../c', 'a', '/guarded/a'],
        ['a%20"b', 'a "b', '/guarded/a%20%22b'],
      ])
        assert.ok((await got(`/guarded/${path}`)).includes(`${rest} ${pathname} ${pathname}`), path)
      await say('close', { id: 'dots' })
    },
  ],
  [
    'WS2 maxPayload and backpressureLimit hold above the limits of the runtime, and one long message is no slow client',
    async (say) => {
      const { url } = await say('listen', { id: 'large', options: local })
      const large = connectSocket(url, '/ws-large')
      await large.opened
      large.socket.send('x'.repeat(20_000_000))
      await until(() => large.got.at(-1) === 'end', 'the end of 20 MB')
      assert.deepEqual([large.got[0], large.got.length], ['got 20000000', 22])
      large.socket.close()
      const one = connectSocket(url, '/ws-one')
      await one.opened
      for (const size of [1_100_000, 10_000_000]) {
        one.socket.send(String(size))
        await until(() => one.got.at(-1)?.length === size, `a message of ${size} bytes`)
      }
      // It stays open
      one.socket.send('3')
      await until(() => one.got.at(-1) === 'xxx', 'a short message')
      one.socket.close()
      await say('close', { id: 'large' })
    },
  ],
  [
    'an aborted signal closes',
    async (say) => {
      const before = (await say('seen')).down
      const { url } = await say('listen', { id: 'signal', options: local, abortAfterMs: 300 })
      assert.equal((await ask(url, { line: 'GET /', agent: false })).text, 'here')
      await new Promise((resolve) => setTimeout(resolve, 900))
      await refused(url)
      assert.equal((await say('seen')).down, before + 1, 'the providers shut down, once')
    },
  ],
  [
    'F10 a stream that fails without a reason breaks the connection',
    async (say) => {
      const { url } = await say('listen', { id: 'fails', options: local })
      assert.match(await raw(url, '/fails'), /\r\nbegun\r\n$/)
      await say('close', { id: 'fails' })
    },
  ],
  [
    'F17 a body partly read by the handler is a 500, not what is left of it',
    async (say) => {
      const { url } = await say('listen', { id: 'partly', options: local })
      const { status, text } = await ask(url, { line: 'GET /partly', agent: false })
      assert.deepEqual([status, text], [500, '{"error":"Internal Server Error"}'])
      await say('close', { id: 'partly' })
    },
  ],
  [
    'P14 close aborts the sender of events and ends its stream, before the grace is over',
    async (say) => {
      const before = (await say('seen')).aborted
      const { url } = await say('listen', { id: 'events', options: { ...local, graceMs: 60_000 } })
      const events = raw(url, '/events', 20_000)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await within(10_000, say('close', { id: 'events' }), 'close')
      assert.match(await events, /data: one\n\n\r\n0\r\n\r\n$/)
      assert.equal((await say('seen')).aborted, before + 1)
    },
  ],
  [
    'WS4 close says goodbye to WebSockets with 1001, before the grace is over',
    async (say, name) => {
      const { url } = await say('listen', { id: 'sockets', options: { ...local, graceMs: 60_000 } })
      const { closed, opened } = connectSocket(url, '/ws')
      await opened
      await within(10_000, say('close', { id: 'sockets' }), 'close')
      assert.equal(await within(5000, closed, 'the end of the socket'), 1001, name)
    },
  ],
  [
    'WS1 a handshake that is refused behind its handler, or that an edit fails, opens nothing, and the server lives',
    async (say) => {
      const { url } = await say('listen', { id: 'refused', options: local })
      for (const [path, status] of [
        ['/ws-refused', 403],
        ['/ws-fails', 500],
      ]) {
        await assert.rejects(connectSocket(url, path).opened, new RegExp(`${status}`))
        const { opened, socket } = connectSocket(url, '/ws')
        await opened
        socket.close()
      }
      assert.equal((await say('seen')).wrong, 0)
      await say('close', { id: 'refused' })
    },
  ],
  [
    'WS1 headers of middleware reach the client with the handshake',
    async (say) => {
      const { url } = await say('listen', { id: 'fields', options: local })
      const { opened, socket } = connectSocket(url, '/ws-fields')
      const upgraded = new Promise((resolve) => socket.on('upgrade', ({ headers }) => resolve(headers)))
      await opened
      const { 'x-list': list, 'x-edit': edit, 'set-cookie': cookies } = await upgraded
      assert.deepEqual([list, edit, cookies], ['one', 'two', ['a=b', 'c=d']])
      socket.close()
      await say('close', { id: 'fields' })
    },
  ],
  [
    'WS2 a client that is cut off is no line in the log, and its socket is closed',
    async (say, name) => {
      const before = await say('seen')
      const { url } = await say('listen', { id: 'cut', options: local })
      const { socket, opened } = connectSocket(url, '/ws')
      await opened
      socket.terminate()
      await until(async () => (await say('seen')).cut === before.cut + 1, 'the close handler')
      await within(10_000, say('close', { id: 'cut' }), 'close')
      assert.deepEqual((await say('seen')).reported, before.reported, name)
    },
  ],
  [
    'P9 close waits for waitUntil, whose failures are reported once',
    async (say) => {
      const before = await say('seen')
      const { url } = await say('listen', { id: 'work', options: local })
      assert.equal((await ask(url, { line: 'GET /work', agent: false })).text, 'answered')
      await within(10_000, say('close', { id: 'work' }), 'close')
      const { worked, reported } = await say('seen')
      assert.equal(worked, before.worked + 1)
      assert.deepEqual(reported.slice(before.reported.length), ['work failed'])
    },
  ],
  [
    'P24 options of listen that are bad are refused',
    async (say) => {
      for (const [options, message] of [
        [{ port: '' }, /^listen: port: expected a whole number from 0 to 65535 .*, got ""$/],
        [{ ...local, graceMs: -1 }, /^listen: graceMs: expected/],
        [{ ...local, prot: 1 }, /^listen: prot: unknown option, did you mean "port"\?$/],
      ]) {
        assert.match((await say('listen', { id: 'bad', options })).error, message)
      }
    },
  ],
  [
    'env of listen is ctx.env',
    async (say) => {
      const { url } = await say('listen', { id: 'env', options: { ...local, env: { A: '1' } } })
      assert.deepEqual((await ask(url, { line: 'GET /env', agent: false })).json(), { A: '1' })
      await say('close', { id: 'env' })
    },
  ],
  [
    'NA11 a unix socket',
    async (say, name) => {
      const path = join(tmpdir(), `sluice-${name}-${process.pid}.sock`)
      const { port, url } = await say('listen', { id: 'unix', options: { path } })
      assert.deepEqual([port, url], [null, `unix:${path}`])
      assert.deepEqual(await get({ socketPath: path, headers: { host: 'localhost' } }), { status: 200, text: 'here' })
      const address = await get({ socketPath: path, path: '/address', headers: { host: 'localhost' } })
      assert.equal(address.text, '""', 'F8 the address is empty, not unknown')
      const origin = async (more) =>
        (await get({ socketPath: path, path: '/origin', headers: { host: 'shop.example', ...more } })).text
      assert.equal(await origin({}), 'http://shop.example/origin http://shop.example', 'NA11')
      const behindTls = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
      assert.equal(await origin(behindTls), 'https://shop.example/origin https://shop.example', 'NA11')
      await say('close', { id: 'unix' })
    },
  ],
  [
    'NA10 TRACE and CONNECT are refused with 501, and no handler gets them',
    async (say) => {
      const { url } = await say('listen', { id: 'trace', options: local })
      for (const target of ['TRACE / HTTP/1.1', 'CONNECT other.example:443 HTTP/1.1']) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.write(`${target}\r\nhost: localhost\r\n\r\n`)
        const first = await within(5000, new Promise((resolve) => socket.once('data', resolve)), target)
        assert.equal(`${target}: ${first.toString('latin1').slice(9, 12)}`, `${target}: 501`)
        socket.destroy()
      }
      await say('close', { id: 'trace' })
    },
  ],
  [
    'TLS',
    async (say) => {
      const { url } = await say('listen', { id: 'tls', options: { ...local, tls: { key: KEY, cert: CERT } } })
      assert.match(url, /^https:/)
      const { hostname, port } = new URL(url)
      assert.deepEqual(await get({ hostname, port, rejectUnauthorized: false }, secure), { status: 200, text: 'here' })
      await say('close', { id: 'tls' })
    },
  ],
]
