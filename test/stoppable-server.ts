import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { EngineName } from './channel/fixtures/backends.ts'
import { freePort } from './free-port.mjs'

/** What ends after a test, the newest first. */
export const ended: (() => unknown)[] = []
const stopped = new Set<() => void>()
afterEach(async () => {
  // A client of a stopped server may wait for its goodbye
  for (const go of stopped) go()
  stopped.clear()
  for (const end of ended.splice(0).reverse()) await end()
})

/** The user that PostgreSQL runs as: it refuses root. */
const numberOf = (kind: '-u' | '-g'): number => Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout)
const asPostgres = () => (process.getuid?.() === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : {})

const PROGRAMS: Record<EngineName, string> = { redis: 'redis-server', nats: 'nats-server', postgres: 'initdb' }
export const canStart = (engine: EngineName): boolean =>
  process.env.SLUICE_REQUIRE_SERVICES === '1' || !spawnSync(PROGRAMS[engine], ['--version']).error

/** A server of this test alone, which may be stopped: it accepts connections then, and answers nothing. */
export const startServer = async (engine: EngineName) => {
  const folder = mkdtempSync(join(tmpdir(), `sluice-stopped-${engine}-`))
  ended.push(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const start = (): ChildProcess => {
    const run = (program: string, ...args: string[]) => spawn(program, args, { stdio: 'ignore' })
    if (engine === 'redis') return run('redis-server', '--port', `${port}`, '--dir', folder, '--save', '')
    if (engine === 'nats') return run('nats-server', '-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder)
    const user = asPostgres()
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
    execFileSync('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-N'], { ...user, stdio: 'ignore' })
    const options = ['-D', folder, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1', '-F']
    return spawn('postgres', options, { ...user, stdio: 'ignore' })
  }
  let child = start()
  const tell = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    // A process of PostgreSQL may end at any time: `pkill` passes over it
    if (child.kill(signal)) spawnSync('pkill', [`-${signal}`, '-P', `${child.pid}`])
  }
  const end = async (signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> => {
    if (child.signalCode) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
  ended.push(() => {
    tell('SIGCONT')
    return end(engine === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
  })
  const go = (): void => {
    stopped.delete(go)
    tell('SIGCONT')
  }
  const stop = async (): Promise<void> => {
    stopped.add(go)
    tell('SIGSTOP')
    // Threads on other processors stop a moment later
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const kill = (): Promise<void> => end('SIGKILL')
  /** Start it again after `kill`, on the same port. */
  const again = (): void => {
    child = start()
  }
  return { port, stop, go, kill, again }
}
