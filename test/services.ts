import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The servers that some tests talk to. SQLite needs none. */
export type Service = 'postgres' | 'mysql' | 'redis' | 'nats'

/** Where each service is; `SLUICE_POSTGRES_URL`, `SLUICE_MYSQL_URL`, `SLUICE_REDIS_URL`, `SLUICE_NATS_URL` say otherwise. */
export const serviceUrls: Readonly<Record<Service, string>> = {
  postgres: process.env.SLUICE_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  mysql: process.env.SLUICE_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test',
  redis: process.env.SLUICE_REDIS_URL ?? 'redis://127.0.0.1:6379',
  nats: process.env.SLUICE_NATS_URL ?? 'nats://127.0.0.1:4222',
}

/**
 * Group tests that need a service. They run in the project `services` when it is reachable, and are skipped, with the
 * reason in the title, when it is not; with `SLUICE_REQUIRE_SERVICES=1` a missing service is a failure. The other
 * projects leave them to `services`: they set `SLUICE_SERVICES=off`.
 *
 * @example
 * describeService('redis', 'the redis store', (url) => {
 *   test('counts', async () => { … })
 * })
 */
export const describeService = (service: Service, title: string, body: (url: string) => void): void => {
  const url = serviceUrls[service]
  const reason = UNREACHABLE[service]
  if (OFF) {
    describe.skip(`${title} (${service}, skipped: it runs in the project services)`, () => body(url))
  } else if (reason === undefined) {
    describe(`${title} (${service})`, () => body(url))
  } else if (process.env.SLUICE_REQUIRE_SERVICES === '1') {
    test(`${title} (${service})`, () => expect.fail(reason))
  } else {
    describe.skip(`${title} (${service}, skipped: ${reason})`, () => body(url))
  }
}

/** True when the service answers on its port; for tests that choose their cases themselves. */
export const hasService = (service: Service): boolean => !OFF && UNREACHABLE[service] === undefined

/** A database that one test file has for itself. */
export interface ScratchDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/**
 * Make an empty database with a unique name on the running server; `drop` removes it, and whoever is still connected.
 *
 * @example
 * const scratch = await createScratchDatabase('postgres')
 * afterAll(scratch.drop)
 */
export const createScratchDatabase = async (service: 'postgres' | 'mysql'): Promise<ScratchDatabase> => {
  const name = `sluice_${process.pid}_${randomBytes(5).toString('hex')}`
  const url = new URL(serviceUrls[service])
  url.pathname = `/${name}`
  await run(service, `create database ${name}`)
  const drop = `drop database ${name}${service === 'postgres' ? ' with (force)' : ''}`
  return { url: url.href, drop: () => run(service, drop) }
}

const run = async (service: 'postgres' | 'mysql', statement: string): Promise<void> => {
  if (service === 'postgres') {
    const { Client } = (await import('pg')).default
    const client = new Client({ connectionString: serviceUrls.postgres })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  } else {
    const { createConnection } = await import('mysql2/promise')
    const server = new URL(serviceUrls.mysql)
    server.pathname = '/'
    const client = await createConnection(server.href)
    await client.query(statement).finally(() => client.end())
  }
}

/**
 * Vitest starts Node with the conditions of `ssr.resolve.conditions`; when `import` is among them, `require` inside the
 * drivers finds ES modules and breaks. This puts the CommonJS face in their place; without that flag it changes nothing.
 */
const mendRequire = (driver: string, dependency: string, commonJsFile: string): void => {
  const require = createRequire(createRequire(import.meta.url).resolve(`${driver}/package.json`))
  const resolved = require.resolve(dependency)
  const folder = resolved.slice(0, resolved.lastIndexOf(join('node_modules', dependency)))
  const commonJs = join(folder, 'node_modules', dependency, commonJsFile)
  if (resolved === commonJs) return
  require(commonJs)
  require.cache[resolved] = require.cache[commonJs]
}

const probe = (service: Service): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(serviceUrls[service])
    const number = Number(port) || PORTS[service]
    const socket = createConnection({ host: hostname, port: number, timeout: 1000 })
    const settle = (reason?: string): void => {
      socket.destroy()
      resolve(reason && `${service} is not reachable at ${hostname}:${number}: ${reason}`)
    }
    socket.once('connect', () => settle())
    socket.once('timeout', () => settle('no answer within a second'))
    socket.once('error', (error) => settle(error.message))
  })

const OFF = process.env.SLUICE_SERVICES === 'off'

mendRequire('pg', 'pg-pool', 'index.js')
mendRequire('mysql2', 'long', 'umd/index.js')

const PORTS: Readonly<Record<Service, number>> = { postgres: 5432, mysql: 3306, redis: 6379, nats: 4222 }
const NAMES: readonly Service[] = ['postgres', 'mysql', 'redis', 'nats']
const UNREACHABLE: Readonly<Partial<Record<Service, string>>> = Object.fromEntries(
  await Promise.all((OFF ? [] : NAMES).map(async (name) => [name, await probe(name)] as const)),
)
