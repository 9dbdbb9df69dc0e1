import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createConnection } from 'node:net'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { ask, askAndLeave, until } from './client.mjs'

const cookieOf = ({ cookies }) => cookies.map((line) => line.split(';')[0]).join('; ')

/** Responses of `/shared/*`: what each is, whoever asks. */
const SHARED = {
  json: { status: 200, text: '{"shared":true}' },
  text: { status: 200, text: 'shared' },
  empty: { status: 204, text: '' },
  redirect: { status: 302, text: '' },
}

const PLAIN = Buffer.from('{"hello":"world"}'.repeat(20))

/** Bodies by their coding. That of zstd is a frame with one block that is not compressed (RFC 8878). */
const CODED = {
  gzip: gzipSync(PLAIN),
  'x-gzip': gzipSync(PLAIN),
  deflate: deflateSync(PLAIN),
  br: brotliCompressSync(PLAIN),
  zstd: Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x54, 0, 0xa1, 0x0a, 0]), PLAIN]),
  'gzip, br': brotliCompressSync(gzipSync(PLAIN)),
  'gzip, gzip': gzipSync(gzipSync(PLAIN)),
  'identity, gzip': gzipSync(PLAIN),
  'gzip, identity': gzipSync(PLAIN),
  identity: PLAIN,
}

/** A server that sends the body with the coding that the query names, and shows the path that it was asked for. */
const withTarget = async (run) => {
  const paths = []
  const server = createServer(({ url }, response) => {
    const coding = decodeURIComponent(url.split('?')[1] ?? 'identity')
    paths.push(url.split('?')[0])
    response.writeHead(200, { 'content-encoding': coding }).end(CODED[coding])
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`http://127.0.0.1:${server.address().port}`, paths)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** What takes more than one request: `[sentence, (origin, facts) => …]`, on every runtime and through both doors. */
export const stories = [
  [
    'passwords are hashed where there is node:crypto, and elsewhere the error says what to set',
    async (origin, { edge }) => {
      const { status, text } = await ask(origin, 'GET /password')
      if (edge) assert.match(`${status} ${text}`, /^501 .* the compatibility flag nodejs_compat$/)
      else assert.equal(`${status} ${text}`, '200 [true,true,false,true,false]')
    },
  ],
  [
    'field lists: the same ones on every answer, and one that is changed between requests',
    async (origin) => {
      for (const count of ['1', '1', '1', '1', '2', '2', '2', '1']) {
        for (const [path, fixed, vary] of [
          ['page', 'yes', /^origin$/i],
          ['own', 'own', /^accept, ?origin$/i],
        ]) {
          const { headers, text } = await ask(origin, { line: `GET /lists/${path}`, headers: { 'x-count': count } })
          assert.deepEqual([text, headers['x-count'], headers['x-fixed']], [path, count, fixed])
          assert.match(headers.vary, vary)
          assert.match(headers['content-type'], /^text\/plain; ?charset=utf-8$/i)
        }
      }
    },
  ],
  [
    'cookies: set, signed, read back, and forged',
    async (origin) => {
      const set = await ask(origin, 'GET /cookies/set')
      assert.equal(set.cookies.length, 2)
      assert.match(set.cookies[0], /^plain=a%20b%3Bc; .*HttpOnly/)
      const cookie = cookieOf(set)
      assert.deepEqual((await ask(origin, { line: 'GET /cookies', headers: { cookie } })).json().plain, 'a b;c')
      const read = async (value) =>
        (await ask(origin, { line: 'GET /cookies/signed', headers: { cookie: value } })).json().value
      assert.equal(await read(cookie), 'seventeen')
      assert.equal(await read(cookie.replace('signed=seventeen', 'signed=eighteen')), null)
      assert.equal(await read('a=1'), null)
    },
  ],
  ...['GET /coded/own', 'GET /coded/cached/stream', 'GET /coded/cached/compressed', 'POST /coded/kept'].map((line) => [
    `NA4 ${line}: bytes with a Content-Encoding go out as they are, also the second time`,
    async (origin) => {
      const headers = { 'accept-encoding': 'gzip', 'idempotency-key': 'once' }
      for (const round of ['first', 'second']) {
        const answer = await ask(origin, { line, headers })
        const { 'content-encoding': coding } = answer.headers
        const decoded = gunzipSync(answer.bytes).toString()
        assert.deepEqual([round, coding, decoded], [round, 'gzip', 'coded once, '.repeat(20)])
      }
    },
  ]),
  [
    'session: counts, keeps its cookie, is renewed at login and gone after logout',
    async (origin) => {
      const first = await ask(origin, 'GET /session/count')
      assert.equal(first.json().count, 1)
      assert.match(first.cookies[0], /HttpOnly/)
      const old = { cookie: cookieOf(first) }
      assert.equal((await ask(origin, { line: 'GET /session/count', headers: old })).json().count, 2)
      assert.equal((await ask(origin, 'GET /session/look')).cookies.length, 0)
      const login = await ask(origin, { line: 'GET /session/login', headers: old })
      assert.deepEqual(login.json(), { count: 2, user: 'ada' })
      const fresh = { cookie: cookieOf(login) }
      assert.notEqual(fresh.cookie, old.cookie)
      assert.equal((await ask(origin, { line: 'GET /session/look', headers: old })).json().count, null)
      assert.equal((await ask(origin, { line: 'GET /session/look', headers: fresh })).json().count, 2)
      await ask(origin, { line: 'GET /session/logout', headers: fresh })
      assert.equal((await ask(origin, { line: 'GET /session/look', headers: fresh })).json().count, null)
    },
  ],
  [
    'csrf: a token is needed, accepted in header and form, and refused without its cookie',
    async (origin) => {
      const got = await ask(origin, 'GET /csrf/token')
      const { token } = got.json()
      const cookie = cookieOf(got)
      const act = async (headers, body = '') => (await ask(origin, { line: 'POST /csrf/act', headers, body })).status
      assert.equal(await act({}), 403)
      assert.equal(await act({ cookie }), 403)
      assert.equal(await act({ 'x-csrf-token': token }), 403)
      assert.equal(await act({ cookie, 'x-csrf-token': `${token}x` }), 403)
      assert.equal(await act({ cookie, 'x-csrf-token': token }), 200)
      assert.equal(await act({ cookie, 'content-type': 'application/x-www-form-urlencoded' }, `_csrf=${token}`), 200)
    },
  ],
  [
    'rateLimiter: two pass, the third is told when to come back, another key is not',
    async (origin) => {
      const get = (key) => ask(origin, { line: 'GET /limited/thing', headers: { 'x-key': key } })
      assert.equal((await get('one')).status, 200)
      assert.equal((await get('one')).headers['ratelimit-remaining'], '0')
      const refused = await get('one')
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers['retry-after']) > 0)
      assert.equal((await get('two')).status, 200)
    },
  ],
  [
    'logger: a line for what was answered, also for what nobody answers',
    async (origin) => {
      await ask(origin, 'GET /logged/nowhere')
      const lines = (await ask(origin, 'GET /logged/lines')).json()
      assert.match(lines.at(-1), /GET \/logged\/nowhere 404 \d+ms/)
    },
  ],
  ...Object.entries(SHARED).map(([kind, { status, text }]) => [
    `F1 a Response that is made once, ${kind}: each visitor gets the whole body and only their own cookies`,
    async (origin) => {
      const visit = async (method, visitor) => {
        const answer = await ask(origin, { line: `${method} /shared/${kind}`, headers: { 'x-visitor': visitor } })
        assert.equal(answer.status, status)
        assert.equal(answer.text, method === 'HEAD' ? '' : text)
        assert.deepEqual(answer.cookies.toSorted(), [`edit=${visitor}`, `list=${visitor}`])
      }
      await visit('GET', 'ada')
      await visit('HEAD', 'bob')
      await visit('GET', 'cleo')
      await Promise.all(['d', 'e', 'f', 'g'].map((visitor) => visit('GET', visitor)))
    },
  ]),
  [
    'F1 a Response of the platform has one body: whoever comes later gets their own cookies or a plain error',
    async (origin) => {
      for (const visitor of ['ada', 'bob', 'cleo']) {
        const answer = await ask(origin, { line: 'GET /shared/platform', headers: { 'x-visitor': visitor } })
        assert.ok([200, 500].includes(answer.status), `${answer.status}`)
        if (answer.status === 200) assert.equal(answer.text, 'of the platform')
        for (const cookie of answer.cookies) assert.match(cookie, new RegExp(`=${visitor}$`))
      }
    },
  ],
  [
    'waitUntil: the answer leaves first, and the work is finished after it',
    async (origin) => {
      const count = async () => (await ask(origin, 'GET /seen')).json().worked
      const before = await count()
      assert.equal((await ask(origin, 'GET /work')).text, 'answered')
      await until(async () => (await count()) > before, 'work that goes on')
    },
  ],
  [
    'H6 a source of bytes is cancelled when its client goes',
    async (origin) => {
      const count = async () => (await ask(origin, 'GET /seen')).json().cancelled
      const before = await count()
      await Promise.all([askAndLeave(origin, '/stream/endless'), askAndLeave(origin, '/stream/endless')])
      await until(async () => (await count()) >= before + 2, 'two cancelled sources')
    },
  ],
  [
    'NA3 a read that begins after the client has left its upload ends with an error',
    async (origin, { edge }) => {
      if (edge) return // the platform ends the handler
      const late = async () => (await ask(origin, 'GET /seen')).json().late
      const before = (await late()).length
      const { hostname, port } = new URL(origin)
      const socket = createConnection({ host: hostname, port: Number(port) })
      socket.write('POST /body/late HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhello')
      setTimeout(() => socket.destroy(), 30)
      await until(async () => (await late()).length > before, 'the end of the read')
      assert.deepEqual((await late()).slice(before), ['refused'])
    },
  ],
  [
    'S4 a sender of events is told when its client goes',
    async (origin) => {
      const count = async () => (await ask(origin, 'GET /seen')).json().senderGone
      const before = await count()
      await askAndLeave(origin, '/sse/endless')
      await until(async () => (await count()) > before, 'a sender that was told')
    },
  ],
  [
    'S5 a client that reads no events is disconnected when more bytes than the limit wait',
    async (origin) => {
      const before = (await ask(origin, 'GET /seen')).json()
      const { hostname, port } = new URL(origin)
      const socket = createConnection({ host: hostname, port: Number(port) })
      // A connection that is cut may be reset
      socket.on('error', () => {})
      socket.pause()
      socket.write('GET /sse/flood HTTP/1.1\r\nhost: localhost\r\n\r\n')
      await until(async () => (await ask(origin, 'GET /seen')).json().floodsOver > before.floodsOver, 'the end')
      socket.destroy()
      const { flooded, floodsOver, floodErrors } = (await ask(origin, 'GET /seen')).json()
      const [told, ...more] = floodErrors.slice(before.floodErrors.length)
      assert.match(told, /^The client is too slow: \d+ bytes wait for it$/)
      assert.ok(Number(/\d+/.exec(told)[0]) < 560_000, told)
      assert.ok(flooded - before.flooded < 100_000_000, `${flooded - before.flooded} bytes`)
      assert.deepEqual([floodsOver - before.floodsOver, more], [1, []])
    },
  ],
  [
    '200 requests at once get their own answers',
    async (origin) => {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, id) => ask(origin, `GET /users/${id}`)))
      assert.deepEqual(
        answers.map((answer) => answer.json().id),
        Array.from({ length: 200 }, (_, id) => `${id}`),
      )
    },
  ],
  [
    'an address, where the runtime tells one, and never the client’s claim',
    async (origin) => {
      const claims = {
        'x-forwarded-for': '6.6.6.6',
        'cf-connecting-ip': '6.6.6.6',
        'x-real-ip': '6.6.6.6',
        forwarded: 'for=6.6.6.6',
      }
      const { address } = (await ask(origin, { line: 'GET /address', headers: claims })).json()
      assert.equal(address, '127.0.0.1')
    },
  ],
]

/** Of the door `createApp` alone. */
export const appStories = [
  [
    'R32 HEAD has the length of GET',
    async (origin, { edge }) => {
      const { status, headers, bytes } = await ask(origin, 'HEAD /methods/html')
      // workerd sends no length
      assert.deepEqual([status, headers['content-length'], bytes.length], [200, edge ? undefined : '16', 0])
      assert.match(headers['content-type'], /html/)
    },
  ],
  [
    'P11: a printed context is short, and has no secret headers',
    async (origin, { edge }) => {
      if (edge) return // its console takes no form of ours
      const headers = { authorization: 'Bearer hunter2', cookie: 'sid=hunter2' }
      const { text: printed } = await ask(origin, { line: 'GET /printed', headers })
      assert.match(printed, /^Context \{"method":"GET","path":"\/printed","params":\{\},"request":\{"url":"http/)
      assert.doesNotMatch(printed, /hunter2|depth|raced/)
    },
  ],
  [
    'bodyParser: the client of a decompressed body is known',
    async (origin) => {
      const { address } = (await ask(origin, 'GET /address')).json()
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const answer = await ask(origin, { line: 'POST /inflated', headers, body: gzipSync('{"a":1}') })
      assert.deepEqual(answer.json(), { address, body: { a: 1 } })
    },
  ],
  [
    'proxy: a body has the label that fits it, whatever the target sends',
    async (origin, { edge }) => {
      if (edge) return // its network has no target
      await withTarget(async (target) => {
        for (const [coding, coded] of Object.entries(CODED)) {
          const line = `GET /proxied/a?${encodeURIComponent(coding)}`
          const { headers, bytes } = await ask(origin, { line, headers: { 'x-target': target } })
          const label = headers['content-encoding']
          assert.deepEqual([coding, label, bytes], [coding, label && coding, label ? coded : PLAIN])
        }
      })
    },
  ],
  [
    'proxy: a path with two slashes never becomes one with one',
    async (origin, { edge, name }) => {
      if (edge) return
      await withTarget(async (target, paths) => {
        for (const path of ['//admin/x', '///admin/x', '/admin//x']) {
          const { status } = await ask(origin, { line: `GET /proxied${path}`, headers: { 'x-target': target } })
          const refused = name === 'bun' && path.startsWith('//')
          assert.deepEqual([path, status, paths.splice(0)], [path, refused ? 400 : 200, refused ? [] : [path]])
        }
      })
    },
  ],
  [
    'withFacades: a synchronous function',
    async (origin) => assert.equal((await ask(origin, 'GET /facades/sync')).text, 'from config'),
  ],
  [
    'withFacades: across an await, or a refusal where the runtime cannot',
    async (origin, { edge }) => {
      const answer = await ask(origin, 'GET /facades/async')
      assert.equal(answer.status, edge ? 500 : 200)
      if (!edge) assert.equal(answer.text, 'from config')
    },
  ],
]

/** Of workerd alone. */
export const edgeStories = [
  [
    'env() reads what bindEnv was given',
    async (origin) => assert.equal((await ask(origin, 'GET /edge/env')).text, 'hello from the environment'),
  ],
  [
    'R8 listen says what to do here',
    async (origin) => assert.match((await ask(origin, 'GET /edge/listen')).text, /export default app/),
  ],
]
