import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, ended, isAlive, start } from './cluster-program.ts'
import { eventually, pause } from './wire.ts'

test('OP4: a worker that closes its application itself is ended and replaced, whatever keeps it', async () => {
  const { seen, numbers, workers } = start({ workers: 1 }, 'leaves')
  await eventually(() => workers().length > 1, 'another worker', 60_000)
  expect(numbers(/^worker (\d+) has closed/gm)[0]).toBe(workers()[0])
  expect(seen.errors).toContain(`sluice: worker ${workers()[0]} ended with exit code 0, the next one starts in 100 ms`)
})

test('OP4: workers that cannot be started, because Node is gone, are tried again; SIGHUP says so, SIGTERM ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-node-'))
  ended.push(() => rmSync(folder, { recursive: true, force: true }))
  const node = join(folder, 'node')
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  const { child, seen, exit, workers, port } = start({ workers: 2 }, '', '', node)
  const at = await port()
  const [first, second] = workers()
  renameSync(node, `${node}-gone`)
  child.kill('SIGHUP')
  await eventually(() => /rolling restart has ended early: .*ENOENT/.test(seen.errors), 'the refusal')
  process.kill(first!, 'SIGKILL')
  await eventually(
    () => /^sluice: worker 0 ended .*ENOENT\), the next one starts in 200 ms/m.test(seen.errors),
    'a try',
  )
  renameSync(`${node}-gone`, node)
  await eventually(() => workers().length === 3, 'the next worker', 30_000)
  expect([second, workers()[2]]).toContain(Number.parseInt((await ask(at)).text, 10))
  renameSync(node, `${node}-gone`)
  process.kill(second!, 'SIGKILL')
  await eventually(() => seen.errors.split('ENOENT').length > 3, 'another try')
  child.kill('SIGTERM')
  expect(await exit()).toBe(0)
})

test('OP4: a SIGHUP while the first workers start replaces them once they listen', async () => {
  const { child, seen, workers, numbers } = start({ workers: 2 }, 'slow')
  await eventually(() => numbers(/^worker (\d+) begins/gm).length === 2, 'the first workers', 60_000)
  expect(workers()).toEqual([])
  child.kill('SIGHUP')
  await eventually(() => workers().length === 4, 'the next workers', 60_000)
  await eventually(() => numbers(/^worker (\d+) shuts down/gm).length === 2, 'the end of the first')
  expect(seen.errors).toBe('')
})

test('OP4: a SIGHUP after SIGTERM does not end what is being drained', async () => {
  const { child, seen, exit, workers, port } = start({ workers: 1 })
  const at = await port()
  const answer = ask(at, '/never')
  await eventually(() => seen.output.includes('never answers'), 'the request')
  child.kill('SIGTERM')
  // Nothing is accepted once the drain has begun. What came at that moment waits for the end
  const status = () => Promise.race([ask(at).then((answer) => answer.status), pause(200).then(() => 200)])
  while ((await status()) === 200);
  child.kill('SIGHUP')
  await answer
  expect(await exit()).toBe(0)
  expect(workers().filter(isAlive)).toEqual([])
})

test('OP4: a message of the program that looks like ours does not end the supervisor', async () => {
  const { child, exit, port } = start({ workers: 1 }, 'speaks')
  expect((await ask(await port())).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exit()).toBe(0)
})
