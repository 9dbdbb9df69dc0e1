import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { runStories, serveWorkerd } from '../../runtime/serve-workerd.mjs'

/**
 * The stores and the jobs that only exist on Workers, in a real workerd: `node test/stores/workerd/run.mjs`. The binary is `SLUICE_WORKERD`, else the one
 * that the runtime suite installs.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-workerd-'))

await build({
  entryPoints: [join(here, 'worker.ts')],
  outfile: join(folder, 'worker.js'),
  bundle: true,
  format: 'esm',
  conditions: ['sluice-source', 'workerd'],
  logLevel: 'error',
})
for (const file of ['kv.js', 'config.capnp']) copyFileSync(join(here, file), join(folder, file))

const { port, child } = await serveWorkerd(join(folder, 'config.capnp'))

const ask = (path, init = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(10_000), ...init })
const statuses = async (path, count) => {
  const all = await Promise.all(Array.from({ length: count }, () => ask(path)))
  await Promise.all(all.map((response) => response.text()))
  return all.filter(({ status }) => status === 200).length
}
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const sessionLives = async (path) => {
  const written = await ask(path, {
    method: 'POST',
    body: '{"user":7}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(written.status, 200)
  const cookie = written.headers.getSetCookie()[0].split(';')[0]
  assert.deepEqual(await (await ask(path, { headers: { cookie } })).json(), { user: 7 })
  assert.deepEqual(await (await ask(path, { headers: { cookie: `${cookie.slice(0, -1)}!` } })).json(), {})
  const ended = await ask(path, { method: 'DELETE', headers: { cookie } })
  assert.match(ended.headers.get('set-cookie'), /^session=; .*Max-Age=0/)
  return (await ask(path, { headers: { cookie } })).json()
}

const tests = {
  'a Durable Object counts exactly: of 200 requests at once 50 pass': async () =>
    assert.equal(await statuses('/fixed', 200), 50),
  'and so it does as a token bucket': async () => assert.equal(await statuses('/bucket', 200), 50),
  'and as a sliding window': async () => assert.equal(await statuses('/sliding', 200), 50),
  'its window ends, and its alarm does no harm': async () => {
    assert.equal(await statuses('/short', 4), 2)
    await sleep(1200)
    assert.equal(await statuses('/short', 4), 2)
  },
  'the memory store counts in the isolate': async () => assert.equal(await statuses('/memory', 80), 50),
  'a session in KV lives from request to request, and not after the logout': async () => {
    assert.deepEqual(await sessionLives('/kv'), {})
  },
  'a session in memory does too': async () => assert.deepEqual(await sessionLives('/memory-session'), {}),
  'an encrypted cookie does, and outlives the logout, as its page says': async () => {
    assert.deepEqual(await sessionLives('/cookie'), { user: 7 })
  },
  'a CSRF token passes, a request without is refused': async () => {
    const page = await ask('/csrf')
    const cookie = page.headers.getSetCookie()[0].split(';')[0]
    const { token } = await page.json()
    assert.equal((await ask('/csrf', { method: 'POST', headers: { cookie, 'x-csrf-token': token } })).status, 200)
    assert.equal((await ask('/csrf', { method: 'POST', headers: { cookie } })).status, 403)
  },
  'a client that leaves while others wait for the same work does not end it for them': async () => {
    for (const name of ['cache', 'health', 'boot']) {
      assert.equal(await (await ask(`/leave/${name}`)).text(), 'left')
      assert.equal((await ask(`/left/${name}`)).status, 200, name)
      assert.equal((await ask(`/left/${name}`)).status, 200, name)
    }
  },
  'a check of health that hung is run again by the next probe': async () => {
    assert.equal((await ask('/hanging')).status, 503)
    assert.equal((await ask('/hanging')).status, 200)
  },
  'a cron trigger runs its job with the bindings, and waitUntil holds': async () =>
    assert.deepEqual(await (await ask('/cron/daily')).json(), { outcome: 'ok', done: ['daily 0 hello', 'kept'] }),
  'a job that fails is a failed run': async () =>
    assert.deepEqual(await (await ask('/cron/failing')).json(), { outcome: 'exception', done: [] }),
  'a trigger without a job is one too': async () =>
    assert.deepEqual(await (await ask('/cron/weekly')).json(), { outcome: 'exception', done: [] }),
  'of a batch, the bad message comes back alone, and the word of a consumer counts before ours': async () =>
    assert.deepEqual(await (await ask('/queue/mail?body=good&body=bad&body=later&body=fine')).json(), {
      outcome: 'ok',
      acks: ['fine', 'good'],
      again: ['bad', 'later'],
      ackAll: false,
      done: ['fine', 'good', 'later'],
    }),
  'a queue without a consumer is an error': async () =>
    assert.equal((await (await ask('/queue/unknown?body=a')).json()).outcome, 'exception'),
}

const failed = await runStories(tests)
child.kill()
rmSync(folder, { recursive: true, force: true })
process.exitCode = failed ? 1 : 0
