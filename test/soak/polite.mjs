/** What well-behaved clients ask for, each answer checked to the byte. A story throws when an answer is not the expected one. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { BLOCK, blockOf } from './facts.mjs'

const JSON_TYPE = { 'content-type': 'application/json' }
const cookiesOf = ({ headers }) => (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0])
const sha1 = (bytes) => createHash('sha1').update(bytes).digest('hex')
const form = (fields, boundary) =>
  `${Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--${boundary}--\r\n`

/** Keeps the cookies of one browser. */
const browser = (ask) => {
  const jar = new Map()
  return async (method, path, { headers, ...more } = {}) => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await ask(method, path, { ...more, headers: { ...headers, ...(cookie && { cookie }) } })
    for (const line of cookiesOf(answer)) jar.set(...line.split(/=(.*)/s, 2))
    return answer
  }
}

/** By name; `world.restarts` tells how often Redis went away, and `world.away` whether it is away now. */
export const stories = {
  async text(ask) {
    const { status, text, headers } = await ask('GET', '/text', { headers: { 'x-forwarded-for': '192.0.2.7' } })
    assert.deepEqual([status, text, headers['x-content-type-options']], [200, 'hello world', 'nosniff'])
  },
  async params(ask) {
    const id = randomBytes(8).toString('hex')
    const { json } = await ask('GET', `/users/${id}?q=a%20b`)
    assert.deepEqual(json(), { id, q: 'a b' })
  },
  async missing(ask) {
    const { status } = await ask('GET', '/nothing/here')
    assert.equal(status, 404)
  },
  async head(ask) {
    const { status, bytes } = await ask('HEAD', '/text')
    assert.deepEqual([status, bytes.length], [200, 0])
  },
  async preflight(ask) {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const answer = await ask('OPTIONS', '/text', { headers })
    assert.equal(answer.headers['access-control-allow-origin'], 'https://app.example')
  },
  async compressed(ask) {
    const [coding, undo] = randomInt(2) ? ['gzip', gunzipSync] : ['br', brotliDecompressSync]
    const { headers, bytes } = await ask('GET', '/page', { headers: { 'accept-encoding': coding } })
    assert.equal(headers['content-encoding'], coding)
    const [, nonce] = /'nonce-([^']+)'/.exec(headers['content-security-policy'])
    assert.equal(undo(bytes).toString(), `<script nonce="${nonce}">0</script>${'<p>many words</p>'.repeat(400)}`)
  },
  async failing(ask) {
    const { status, json } = await ask('GET', '/fails')
    assert.deepEqual([status, json()], [418, { error: 'on purpose' }])
  },
  async scope(ask) {
    const { json } = await ask('GET', '/scope')
    assert.deepEqual(json(), { unit: true })
  },
  async bytes(ask) {
    const body = randomBytes(randomInt(1, 300_000))
    const { json } = await ask('POST', '/raw', { body, headers: { 'content-type': 'application/octet-stream' } })
    assert.deepEqual(json(), { size: body.length, sha: sha1(body) })
  },
  async through(ask) {
    const body = randomBytes(randomInt(1, 300_000))
    const { bytes } = await ask('POST', '/through', { body })
    assert.equal(sha1(bytes), sha1(body))
  },
  async validated(ask) {
    const user = { name: 'Ann', email: 'ann@example.com', age: randomInt(99) }
    const zipped = randomInt(2) === 1
    const body = zipped ? gzipSync(JSON.stringify(user)) : JSON.stringify(user)
    const headers = { ...JSON_TYPE, ...(zipped && { 'content-encoding': 'gzip' }) }
    const { status, json } = await ask('POST', '/users', { body, headers })
    assert.deepEqual([status, json()], [201, user])
  },
  async refused(ask) {
    const { status, json } = await ask('POST', '/users', { body: '{"name":1}', headers: JSON_TYPE })
    assert.deepEqual([status, json().issues.length], [422, 3])
  },
  async multipart(ask) {
    const headers = { 'content-type': 'multipart/form-data; boundary=soak' }
    const { json } = await ask('POST', '/upload', { body: form({ a: '1', b: 'x'.repeat(50_000) }, 'soak'), headers })
    assert.deepEqual(json(), ['a', 'b'])
  },
  async session(ask, world) {
    const visit = browser(ask)
    const { restarts } = world
    const away = world.away
    for (let count = 1; count <= 4; count++) {
      const answer = (await visit('GET', '/count')).json()
      if (away || world.away || world.restarts !== restarts) return
      assert.deepEqual(answer, { count })
    }
  },
  async form(ask, world) {
    const visit = browser(ask)
    const { restarts, away } = world
    const { token } = (await visit('GET', '/token')).json()
    const headers = { 'x-csrf-token': token, ...JSON_TYPE }
    const { status, text } = await visit('POST', '/form', { headers, body: '{"sent":true}' })
    // Without its session the token belongs to nobody
    if (status === 403 && (away || world.away || world.restarts !== restarts)) return
    assert.equal(text, '{"sent":true}')
  },
  async credentials(ask) {
    const basic = `Basic ${btoa('ada:soak')}`
    assert.equal((await ask('GET', '/key', { headers: { 'x-api-key': 'soak-key' } })).text, '{"name":"key"}')
    assert.equal((await ask('GET', '/bearer', { headers: { authorization: 'Bearer soak' } })).text, '{"name":"bearer"}')
    assert.equal((await ask('GET', '/basic', { headers: { authorization: basic } })).text, '{"name":"ada"}')
  },
  async versions(ask) {
    const { text, headers } = await ask('GET', '/versions', { headers: { 'api-version': '2' } })
    assert.deepEqual([text, headers.deprecation], ['two', '@1767225600'])
  },
  async download(ask) {
    const count = randomInt(1, 24)
    const { bytes } = await ask('GET', `/blocks/${count}`)
    assert.equal(bytes.length, count * BLOCK)
    for (let index = 0; index < count; index++) assert.equal(bytes[index * BLOCK + 9], blockOf(index)[9])
  },
  async events(ask) {
    const { text } = await ask('GET', '/events/20')
    assert.deepEqual(
      text.match(/"index":\d+/g),
      Array.from({ length: 20 }, (_, index) => `"index":${index}`),
    )
  },
}
