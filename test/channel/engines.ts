import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.mjs'
import { createScratchDatabase } from '../services.ts'
import type { EngineName } from './fixtures/backends.ts'

/** Where the events of a trial are, and what happens to it in the middle. */
export interface Engine {
  readonly name: EngineName
  readonly url: string
  /** Kill and start it, or cut all who listen. */
  disturb(): Promise<void>
  stop(): Promise<void>
}

/** A server of our own, that may be killed without harm to anybody. It keeps its data in a folder. */
const ownServer = async (
  name: EngineName,
  commandOf: (port: number, folder: string) => [string, ...string[]],
): Promise<Engine> => {
  const folder = mkdtempSync(join(tmpdir(), `sluice-${name}-`))
  const port = await freePort()
  const start = (): ChildProcess => {
    const [command, ...args] = commandOf(port, folder)
    return spawn(command, args, { stdio: 'ignore' })
  }
  let child = start()
  const kill = (): Promise<unknown> => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    return gone
  }
  return {
    name,
    url: `${name}://127.0.0.1:${port}`,
    async disturb() {
      await kill()
      child = start()
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const engines: Record<EngineName, () => Promise<Engine>> = {
  redis: () =>
    ownServer('redis', (port, folder) => [
      'redis-server',
      ...['--port', `${port}`, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
    ]),
  nats: () =>
    ownServer('nats', (port, folder) => ['nats-server', '-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder]),
  async postgres() {
    const scratch = await createScratchDatabase('postgres')
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: scratch.url, max: 1 })
    pool.on('error', () => {})
    return {
      name: 'postgres',
      url: scratch.url,
      async disturb() {
        const { rowCount } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
        )
        if (!rowCount) throw new Error('nobody listened')
      },
      async stop() {
        await pool.end()
        await scratch.drop()
      },
    }
  },
}
