import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** The example, running. */
export interface Example {
  /** Where nginx listens. */
  readonly port: number
  /** Where the workers listen, behind it. */
  readonly inner: number
  readonly redisUrl: string
  /** What starts the workers: it takes SIGHUP. */
  readonly supervisor: ChildProcess
  /** Kill Redis and start it again with its data. @throws {Error} if `REDIS_URL` said that it is not ours */
  restartRedis(): Promise<void>
  /** End all of it. @returns the exit code of the supervisor */
  down(): Promise<number | null>
}

/**
 * Start Redis, the server with its workers, and nginx in front of it.
 *
 * @param variables of the server: `WORKERS`, `MAX`, `PREFIX`; with `REDIS_URL` no Redis is started
 * @throws {Error} if a program is not installed, or does not come up.
 */
export const up = async (port = 0, variables: Readonly<Record<string, string>> = {}): Promise<Example> => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cluster-'))
  const children: ChildProcess[] = []
  const run = (program: string, args: string[], env = process.env): ChildProcess => {
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ['ignore', env === process.env ? 'ignore' : 'inherit', 'inherit'],
    })
    child.on('error', ({ message }) => console.error(`${program} is needed: ${message}`))
    children.push(child)
    return child
  }
  const down = async (): Promise<number | null> => {
    let code: number | null = null
    // The proxy first, Redis last
    for (const child of children.toReversed()) {
      const running = child.exitCode === null && child.signalCode === null && child.pid !== undefined
      if (running) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        await ended
      }
      if (child === supervisor) code = child.exitCode
    }
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  let supervisor: ChildProcess | undefined
  try {
    const [inner, redisPort] = [await freePort(), await freePort()]
    const redisUrl = variables.REDIS_URL ?? `redis://127.0.0.1:${redisPort}`
    const startRedis = async (): Promise<ChildProcess> => {
      const log = ['--appendonly', 'yes', '--save', '', '--loglevel', 'warning']
      const child = run('redis-server', ['--port', `${redisPort}`, '--dir', folder, ...log])
      await answering(child, redisPort)
      return child
    }
    let redis = variables.REDIS_URL ? undefined : await startRedis()
    const restartRedis = async (): Promise<void> => {
      const before = redis
      if (!before) throw new Error('Redis was not started here')
      const ended = new Promise((resolve) => before.once('exit', resolve))
      before.kill('SIGKILL')
      await ended
      redis = await startRedis()
      // It is ended last, as the one that it replaces would have been
      children.pop()
      children[children.indexOf(before)] = redis
    }
    const tsx = ['--import', 'tsx', '--conditions=sluice-source', join(here, 'server.ts')]
    const ours = { ...variables, REDIS_URL: redisUrl, PORT: `${inner}`, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') }
    supervisor = run(process.execPath, tsx, { ...process.env, NODE_OPTIONS: '', ...ours })
    await answering(supervisor, inner)
    const outer = port || (await freePort())
    const text = readFileSync(join(here, 'nginx.conf'), 'utf8')
    writeFileSync(join(folder, 'nginx.conf'), text.replace(':3000', `:${inner}`).replace(':8080', `:${outer}`))
    await answering(run('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']), outer)
    return { port: outer, inner, redisUrl, supervisor, restartRedis, down }
  } catch (error) {
    await down()
    throw error
  }
}

/** A port that is free, and that no system gives to an outgoing connection. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const port = 12_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error),
      )
      .listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })

/** Wait until something answers HTTP on a port, or closes the connection as Redis does. */
const answering = async (child: ChildProcess, port: number): Promise<void> => {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null || child.pid === undefined) break
    const refused = await fetch(`http://127.0.0.1:${port}/`).then(
      () => false,
      (error) => error.cause?.code === 'ECONNREFUSED',
    )
    if (!refused) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${child.spawnfile} does not answer on port ${port}`)
}
