import assert from 'node:assert/strict'
import { Agent, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CERT, KEY } from './certificate.mjs'
import { within } from './child.mjs'
import { ask } from './client.mjs'

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
    'close waits no longer than graceMs, and cuts what is left where the runtime can',
    async (say, name) => {
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
      // Deno cannot cut a connection once it shuts down: there the client has to go
      if (name === 'deno') sent.destroy()
      await within(3000, cut, 'the end of the connection')
    },
  ],
  [
    'an aborted signal closes',
    async (say) => {
      const { url } = await say('listen', { id: 'signal', options: local, abortAfterMs: 300 })
      assert.equal((await ask(url, { line: 'GET /', agent: false })).text, 'here')
      await new Promise((resolve) => setTimeout(resolve, 900))
      await refused(url)
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
    'a unix socket',
    async (say, name) => {
      const path = join(tmpdir(), `sluice-${name}-${process.pid}.sock`)
      const { port, url } = await say('listen', { id: 'unix', options: { path } })
      assert.deepEqual([port, url], [null, `unix:${path}`])
      assert.deepEqual(await get({ socketPath: path, headers: { host: 'localhost' } }), { status: 200, text: 'here' })
      await say('close', { id: 'unix' })
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
