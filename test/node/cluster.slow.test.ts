import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type ClientRequest, get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../free-port.mjs'
import { cert, key } from './certificate.ts'
import { ask, ended, isAlive, start } from './cluster-program.ts'
import { eventually, pause, within } from './wire.ts'

const textOf = async (request: ClientRequest): Promise<string> => {
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return text
}

/** Clients that ask without a pause until they are told to stop: half of them keep their connection. */
const load = (port: number, clients: number) => {
  let stopped = false
  const answers = { asked: 0, good: 0, bad: [] as string[], by: new Set<string>() }
  const client = async (id: number): Promise<void> => {
    const agent = id % 2 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!stopped) {
      answers.asked++
      const { status, text } = await ask(port, id % 3 ? '/' : '/slow', agent)
      if (status === 200) answers.good++
      else answers.bad.push(text)
      answers.by.add(text.split(' ')[0]!)
    }
    if (agent) agent.destroy()
  }
  const all = Promise.all(Array.from({ length: clients }, (_, id) => client(id)))
  return {
    answers,
    async stop() {
      stopped = true
      await all
      return answers
    },
  }
}

describe('OP4: listen({ workers })', () => {
  test('so many workers share the port; only they are made ready, and SIGTERM closes them and exits with 0', async () => {
    const { child, seen, exit, workers, numbers, port } = start({ workers: 3 })
    const at = await port()
    const by = new Set<string>()
    for (let n = 0; n < 30; n++) by.add((await ask(at)).text.trim())
    expect([...by].map(Number).sort()).toEqual(workers().sort())
    expect(by.size).toBe(3)
    child.kill('SIGTERM')
    expect(await exit(), seen.errors).toBe(0)
    expect(numbers(/^worker (\d+) boots/gm).sort()).toEqual(workers().sort())
    expect(numbers(/^worker (\d+) shuts down/gm).sort()).toEqual(workers().sort())
    expect(seen.output).not.toMatch(/supervisor \d+ (boots|shuts)/)
    expect(workers().filter(isAlive)).toEqual([])
  })

  test('workers share a unix socket, and speak TLS', async () => {
    const path = join(tmpdir(), `sluice-cluster-${process.pid}.sock`)
    const plain = start({ workers: 2, path })
    await eventually(() => plain.seen.output.includes('supervisor'), 'the socket', 60_000)
    const secure = start({ workers: 2, tls: { key, cert } })
    const port = await secure.port()
    const texts = await Promise.all([
      textOf(get({ socketPath: path, path: '/', agent: false })),
      textOf(getSecurely({ port, host: '127.0.0.1', agent: false, rejectUnauthorized: false })),
    ])
    for (const [at, { workers }] of [plain, secure].entries())
      expect(workers()).toContain(Number.parseInt(texts[at]!, 10))
  })

  test('a worker that is killed is replaced, and one that is asked to end by itself is, too', async () => {
    const { seen, workers, port } = start({ workers: 2 })
    const at = await port()
    for (const [signal, how] of [
      ['SIGKILL', 'by SIGKILL'],
      ['SIGTERM', 'with exit code 0'],
    ] as const) {
      const before = workers()
      const victim = before.at(-1)!
      process.kill(victim, signal)
      await eventually(() => workers().length > before.length, 'another worker', 30_000)
      // Standard error may come after standard output
      const told = `sluice: worker ${victim} ended ${how}, the next one starts in`
      await eventually(() => seen.errors.includes(told), told)
      const by = new Set<number>()
      for (let n = 0; n < 20; n++) by.add(Number.parseInt((await ask(at)).text, 10))
      expect(by.has(workers().at(-1)!)).toBe(true)
      expect(by.has(victim)).toBe(false)
      expect(by.size).toBe(2)
    }
  })

  test('a SIGHUP that a worker gets itself, as from a terminal that closes, does not end it', async () => {
    const { seen, workers, port } = start({ workers: 1 })
    const at = await port()
    const [worker] = workers()
    process.kill(worker!, 'SIGHUP')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await ask(at)).text.trim()).toBe(`${worker}`)
    expect(seen.errors).not.toContain('ended')
  })

  test('a connection on its way to a worker that exits is closed, and does not wait forever', async () => {
    const { workers, port } = start({ workers: 2 })
    const at = await port()
    const [, hung] = workers()
    process.kill(hung!, 'SIGSTOP')
    let open = 10
    const answers = Array.from({ length: open }, () => ask(at).finally(() => open--))
    // Node hands one connection at a time to a worker: the stopped one has taken one, the other all others
    await eventually(() => open === 1, 'the answers of the other worker')
    process.kill(hung!, 'SIGKILL')
    const texts = await within(30_000, Promise.all(answers), 'the end of the last connection')
    expect(texts.filter(({ status }) => status === undefined)).toEqual([
      { text: expect.stringMatching(/hang up|RESET/) },
    ])
  })

  test('workers that end at once are started again after longer pauses; the fifth in a row ends it with 1', async () => {
    const { seen, exit } = start({ workers: 1 }, 'crash')
    expect(await exit()).toBe(1)
    expect(Array.from(seen.errors.matchAll(/starts in (\d+) ms/g), ([, ms]) => Number(ms))).toEqual([
      100, 200, 400, 800,
    ])
    expect(seen.errors).toContain(
      'listen: workers: 5 workers in a row did not listen or ended within 5000 ms after that, the last one with exit code 7',
    )
  })

  test.each([
    ['a provider that cannot boot', { workers: 2 }, 'boot', 'no database'],
    ['a second server with workers', { workers: 2 }, 'twice', 'listen: workers: expected one server with workers in a'],
    ['no workers', { workers: 0 }, '', 'listen: workers: expected "auto" or a whole number from 1 to 1024, got 0'],
  ])('%s rejects listen, and nothing stays', async (_, options, fault, message) => {
    const { seen, exit, workers } = start(options, fault)
    expect(await exit()).toBe(1)
    expect(seen.errors).toContain(message)
    await eventually(() => !workers().some(isAlive), 'the end of the workers', 30_000)
  })

  test('a port in use rejects with the error of the system', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await eventually(() => taken.listening, 'the port')
    const { port } = taken.address() as { port: number } // a port, since it listens on one
    const { seen, exit } = start({ workers: 2, port })
    expect(await exit()).toBe(1)
    expect(seen.errors).toContain('EADDRINUSE')
    taken.close()
  })

  test('workers do not outlive a supervisor that is killed', async () => {
    const { child, workers, port } = start({ workers: 2 })
    await port()
    child.kill('SIGKILL')
    await eventually(() => !workers().some(isAlive), 'the end of the workers', 30_000)
    expect({ started: workers().length, alive: workers().filter(isAlive) }).toEqual({ started: 2, alive: [] })
  })

  test('close() of the program closes the workers; 1 is the exit code if one of them does not end well', async () => {
    const good = start({ workers: 2 }, 'close')
    expect(await good.exit(), good.seen.errors).toBe(0)
    expect(good.seen.output).toContain('closed')
    const bad = start({ workers: 2 }, 'shutdown')
    await bad.port()
    bad.child.kill('SIGTERM')
    expect(await bad.exit()).toBe(1)
    expect(bad.seen.errors).toContain('the database hangs')
  })

  test.each([
    ['a request that never ends is cut after graceMs', '/never', '', 0],
    ['a worker that something else keeps is ended', '/', 'stays', 0],
    ['a worker that hangs is killed, and the exit code is 1', '/busy', '', 1],
  ])('SIGTERM: %s', async (_, path, fault, code) => {
    const { child, exit, workers, port } = start({ workers: 2, graceMs: 200 }, fault)
    const at = await port()
    const answer = ask(at, path)
    await ask(at)
    child.kill('SIGTERM')
    expect(await exit()).toBe(code)
    await answer
    expect(workers().filter(isAlive)).toEqual([])
  })
})

describe.each(['SIGTERM', 'SIGINT'] as const)('OP4: %s before all workers listen', (signal) => {
  test('a request that the first worker has taken is answered, and the exit code is 0', async () => {
    const at = await freePort()
    const { child, seen, exit, workers, numbers } = start({ workers: 2, port: at }, 'late')
    const booting = (): number[] => numbers(/^worker (\d+) begins/gm)
    await eventually(() => workers().length === 1 && booting().length === 1, 'the first worker', 60_000)
    const answer = ask(at, '/slow')
    await eventually(() => seen.output.includes(' takes one'), 'the request')
    child.kill(signal)
    expect((await answer).text.trim()).toBe(`${workers()[0]}`)
    expect(await exit(), seen.errors).toBe(0)
    expect(numbers(/^worker (\d+) shuts down/gm)).toEqual(workers())
    expect([...workers(), ...booting()].filter(isAlive)).toEqual([])
    expect(seen.output).not.toMatch(/^supervisor \d+ listens/m)
    expect(seen.errors).toBe('')
  })

  test('without a worker that listens it ends as well, with exit code 0', async () => {
    const { child, seen, exit, numbers } = start({ workers: 2 }, 'slow')
    await eventually(() => numbers(/^worker (\d+) begins/gm).length > 0, 'a worker', 60_000)
    child.kill(signal)
    expect(await exit(), seen.errors).toBe(0)
    expect(numbers(/^worker (\d+) begins/gm).filter(isAlive)).toEqual([])
    expect(seen.errors).toBe('')
  })

  test('a second one ends it at once', async () => {
    const at = await freePort()
    const { child, seen, exit, workers, numbers } = start({ workers: 2, port: at, graceMs: 60_000 }, 'late')
    const booting = (): number[] => numbers(/^worker (\d+) begins/gm)
    await eventually(() => workers().length === 1 && booting().length === 1, 'the first worker', 60_000)
    const answer = ask(at, '/never')
    await eventually(() => seen.output.includes(' never answers'), 'the request')
    child.kill(signal)
    await eventually(() => !booting().some(isAlive), 'the end of the worker that starts', 30_000)
    child.kill(signal)
    expect(await exit()).toBe(signal)
    await answer
    await eventually(() => !workers().some(isAlive), 'the end of the worker', 30_000)
  })
})

describe('OP4: SIGHUP', () => {
  test('replaces all workers, one after the other, with new code, and no request is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-cluster-'))
    ended.push(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'version')
    writeFileSync(file, 'one')
    const { child, seen, exit, workers, numbers, port } = start({ workers: 3 }, '', file)
    const at = await port()
    const first = workers()
    const clients = load(at, 12)
    await eventually(() => clients.answers.good > 50, 'load', 30_000)
    writeFileSync(file, 'two')
    child.kill('SIGHUP')
    await eventually(() => numbers(/^worker (\d+) shuts down/gm).length === 3, 'the restart', 60_000)
    await eventually(() => !first.some(isAlive), 'the end of the old workers', 30_000)
    expect((await ask(at)).text).toMatch(/ two$/)
    const { asked, good, bad, by } = await clients.stop()
    expect(bad).toEqual([])
    expect(good).toBe(asked)
    expect(by.size).toBe(6)
    // Never two less: the next one leaves after its successor has come
    const events = Array.from(seen.output.matchAll(/^worker \d+ (listens|shuts down)/gm), ([, event]) => event)
    expect(events.slice(3)).toEqual(['listens', 'shuts down', 'listens', 'shuts down', 'listens', 'shuts down'])

    writeFileSync(file, 'broken')
    child.kill('SIGHUP')
    await eventually(() => seen.errors.includes('the rolling restart has ended early'), 'the refusal', 60_000)
    await eventually(() => seen.errors.includes('this version does not start'), 'the reason')
    expect(workers()).toHaveLength(6)
    expect(workers().slice(3).every(isAlive)).toBe(true)
    expect((await ask(at)).text).toMatch(/ two$/)

    writeFileSync(file, 'bootless')
    child.kill('SIGHUP')
    await eventually(() => seen.errors.includes('ended early: no database'), 'the second refusal', 60_000)
    await eventually(() => !numbers(/^worker (\d+) lives on/gm).some(isAlive), 'the end of the successor', 30_000)
    expect(workers().slice(3).every(isAlive)).toBe(true)
    process.kill(workers().at(-1)!, 'SIGKILL')
    await eventually(() => seen.errors.includes('ended by SIGTERM (no database), the next one'), 'the third', 60_000)
    child.kill('SIGTERM')
    expect(await exit()).toBe(0)
  })

  test.each([2000, 2 ** 31 - 1])('SIGTERM: every request that was taken is answered, graceMs %i', async (graceMs) => {
    const { child, seen, exit, port } = start({ workers: 2, graceMs })
    const at = await port()
    const answers = Array.from({ length: 20 }, () => ask(at, '/slow'))
    await eventually(() => seen.output.split(' takes one').length === 21, 'the requests')
    child.kill('SIGTERM')
    expect((await Promise.all(answers)).filter(({ status }) => status !== 200)).toEqual([])
    expect(await exit()).toBe(0)
  })

  test('NA22: SIGTERM to all processes while the old worker of a rolling restart leaves: exit code 0', async () => {
    const { child, seen, exit, workers, port } = start({ workers: 1 }, 'stays')
    await port()
    const old = workers()[0]!
    child.kill('SIGHUP')
    // It has closed its channel and lives for another second
    await eventually(() => seen.output.includes(`worker ${old} shuts down`), 'the old worker leaves', 30_000)
    await pause(100)
    expect(isAlive(old)).toBe(true)
    process.kill(old, 'SIGTERM')
    await pause(50)
    child.kill('SIGTERM')
    expect(await exit(), seen.errors).toBe(0)
  })
})
