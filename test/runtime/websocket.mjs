import assert from 'node:assert/strict'
import { createConnection } from 'node:net'
import { WebSocket } from 'ws'
import { within } from './child.mjs'
import { ask, until } from './client.mjs'

/** A connection with what has come over it. */
export const connect = (origin, path, protocols = [], headers = {}) => {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, protocols, { headers })
  const got = []
  socket.on('message', (content, binary) => got.push(binary ? [...content] : content.toString()))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const opened = new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return { socket, got, closed, opened: within(10_000, opened, `WebSocket ${path}`) }
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** A connection that has been upgraded, whose frames nobody answers. */
const handshaken = async (origin, path) => {
  const { hostname, port } = new URL(origin)
  const socket = createConnection({ host: hostname, port: Number(port) })
  // A connection that is cut may be reset
  socket.on('error', () => {})
  const lines = Object.entries({ host: `${hostname}:${port}`, ...UPGRADE }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

/** WebSockets on every runtime, through both doors. */
export const socketStories = [
  [
    'WS1 a WebSocket: params, a subprotocol, texts, bytes, and a close that comes back',
    async (origin) => {
      const { socket, got, closed, opened } = connect(origin, '/ws/a%20b', ['v1', 'v2'])
      await opened
      assert.equal(socket.protocol, 'v2')
      await until(() => got.length === 1, 'the first message')
      socket.send('é☃😀')
      socket.send('x'.repeat(70_000))
      socket.send(Buffer.from([0, 255, 1]))
      await until(() => got.length === 4, 'four messages')
      assert.deepEqual(got, ['in a b', 'é☃😀', 'x'.repeat(70_000), [0, 255, 1]])
      socket.close(3001, 'bye')
      assert.equal(await within(5000, closed, 'close'), 3001)
      await until(async () => (await ask(origin, 'GET /ws-seen')).json().codes.includes(3001), 'the close handler')
    },
  ],
  [
    'NA12 a subprotocol is accepted only if both sides name it',
    async (origin) => {
      const told = async (path, offered) => {
        const { hostname, port } = new URL(origin)
        const socket = createConnection({ host: hostname, port: Number(port) })
        socket.on('error', () => {})
        const fields = { host: `${hostname}:${port}`, ...UPGRADE, 'sec-websocket-protocol': offered }
        const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
        const head = await new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString('latin1'))))
        socket.destroy()
        return [head.slice(9, 12), /^sec-websocket-protocol: *(.*?)\r$/im.exec(head)?.[1]]
      }
      assert.deepEqual(await told('/ws/a', 'v1, v2'), ['101', 'v2'])
      assert.deepEqual(await told('/ws/a', 'v1,v2'), ['101', 'v2'])
      assert.deepEqual(await told('/ws/a', 'other'), ['101', undefined])
      assert.deepEqual(await told('/ws-made', 'chat.v2, chat.v1'), ['101', undefined])
    },
  ],
  [
    'WS1 a handler that gets a copy of the request does not accept it',
    async (origin, { edge }) => {
      // On the edge, a copy is as good as the request
      if (edge) return
      const answer = await within(
        5000,
        ask(origin, { line: 'GET /ws-copied', headers: UPGRADE, agent: false }),
        'the answer to a copied handshake',
      )
      assert.deepEqual([answer.status, answer.headers.upgrade], [426, 'websocket'])
    },
  ],
  [
    'WS1 a guard and a foreign page are refused with a plain answer',
    async (origin) => {
      const { hostname, port } = new URL(origin)
      const status = (path, headers = {}) =>
        ask(origin, {
          line: `GET ${path}`,
          headers: { host: `${hostname}:${port}`, ...UPGRADE, ...headers },
          agent: false,
        })
      assert.equal((await status('/ws-guarded')).status, 401)
      assert.equal((await status('/ws/x', { origin: 'https://evil.example' })).status, 403)
      assert.equal((await ask(origin, 'GET /ws/x')).status, 426)
      assert.equal((await ask(origin, 'GET /users/me')).text, 'static')
    },
  ],
  [
    'WS2 nothing is made for a bad handshake, which is told what is wrong',
    async (origin, { edge }) => {
      // A request within the platform of Workers has no key: nobody looks at it there
      if (edge) return
      const before = (await ask(origin, 'GET /ws-seen')).json().made
      for (const [status, name, value] of [
        [426, 'sec-websocket-version', undefined],
        [426, 'sec-websocket-version', '8'],
        [400, 'sec-websocket-key', undefined],
        [400, 'sec-websocket-key', 'YQ=='],
        [400, 'sec-websocket-key', [UPGRADE['sec-websocket-key'], UPGRADE['sec-websocket-key']]],
        [426, 'upgrade', 'h2c'],
      ]) {
        const { [name]: _, ...headers } = UPGRADE
        if (value !== undefined) headers[name] = value
        const answer = await ask(origin, { line: 'GET /ws-made', headers, agent: false })
        const told = `${name}: ${value}: ${answer.status} ${answer.text}`
        assert.equal(answer.status, status, told)
        assert.equal(typeof answer.json().error, 'string', told)
        assert.equal(answer.headers['sec-websocket-version'], '13', told)
      }
      assert.equal((await ask(origin, 'GET /ws-seen')).json().made, before)
      const { socket, opened } = connect(origin, '/ws-made')
      await opened
      assert.equal((await ask(origin, 'GET /ws-seen')).json().made, before + 1)
      socket.close()
    },
  ],
  [
    'WS2 a client that reads nothing is cut at backpressureLimit, and one that is silent after idleTimeoutMs',
    async (origin, { edge }) => {
      const seen = async () => (await ask(origin, 'GET /ws-seen')).json()
      const before = await seen()
      const ended = (count) =>
        until(async () => (await seen()).limited.length === before.limited.length + count, 'close')
      // Workers have no pings: a limit for silence looks at messages alone there
      const silent = edge ? undefined : await handshaken(origin, '/ws-limited')
      silent?.resume()
      if (silent) await ended(1)
      silent?.destroy()
      const slow = await handshaken(origin, '/ws-limited')
      slow.pause()
      // A text of one letter, masked with zeros
      slow.write(Uint8Array.from([0x81, 0x81, 0, 0, 0, 0, 0x61]))
      await ended(silent ? 2 : 1)
      slow.destroy()
      assert.equal((await seen()).slow, before.slow + 1)
    },
  ],
  [
    'WS2 each of two silent clients is disconnected, also after the other one has gone',
    async (origin, { edge }) => {
      // The other runtimes send pings, which this client answers
      if (!edge) return
      const pair = async () => {
        const both = [connect(origin, '/ws-limited'), connect(origin, '/ws-limited')]
        await Promise.all(both.map(({ opened }) => opened))
        return both
      }
      await within(5000, Promise.all((await pair()).map(({ closed }) => closed)), 'the end of both')
      const [first, second] = await pair()
      first.socket.close()
      await within(5000, second.closed, 'the end of the one that is left')
    },
  ],
  [
    'WS2 a client that only answers pings is kept',
    async (origin, { edge }) => {
      // Workers have no pings
      if (edge) return
      const { socket, opened } = connect(origin, '/ws-limited')
      let pings = 0
      socket.on('ping', () => pings++)
      await opened
      await until(() => pings >= 6, 'six pings')
      assert.equal(socket.readyState, WebSocket.OPEN)
      socket.terminate()
    },
  ],
  [
    'WS3 a bad message closes with 1007, one that is too long with 1009, a handler that fails with 1011',
    async (origin) => {
      const codes = [1007, 1009, 1011]
      for (const [at, message] of ['{"n":"1"}', `"${'x'.repeat(2000)}"`, '{"n":13}'].entries()) {
        const { socket, got, closed, opened } = connect(origin, '/ws-typed')
        await opened
        socket.send('{"n":1}')
        await until(() => got.length === 1, 'an answer')
        assert.deepEqual(got, ['2'])
        socket.send(message)
        assert.equal(await within(5000, closed, 'close'), codes[at])
      }
    },
  ],
]
