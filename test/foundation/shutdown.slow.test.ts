import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allBlocks, fileOf } from '../docs/blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

/** The programs of docs/foundation.md, each as the file that its first line names. */
beforeAll(() => {
  mkdirSync(join(root, 'test/foundation/fixtures'), { recursive: true })
  folder = mkdtempSync(join(root, 'test/foundation/fixtures/docs-'))
  for (const block of allBlocks().filter(({ page, language }) => page === 'docs/foundation.md' && language === 'ts'))
    writeFileSync(join(folder, basename(fileOf(block))), block.text)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly child: ChildProcess
  output(): string
  readonly ended: Promise<number | null>
}

const run = (file: string, env: Record<string, string> = {}): Run => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=sluice-source', join(folder, file)], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'), ...env },
  })
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code) }
}

const until = async (condition: () => boolean, what: () => string): Promise<void> => {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 15_000) throw new Error(`waited too long: ${what()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('docs/foundation.md', () => {
  test('three providers on a real SQLite database, closed on SIGTERM under load without losing a request', async () => {
    const { child, output, ended } = run('server.ts', { PORT: '0', DATABASE_FILE: join(folder, 'shop.db') })
    const port = async (): Promise<number> => {
      await until(() => /listening on \d+/.test(output()) || child.exitCode !== null, output)
      return Number(output().match(/listening on (\d+)/)?.[1] ?? expect.fail(output()))
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const options = { host: '127.0.0.1', port: await port(), agent }
    const post = (name: string): Promise<number | 'refused'> =>
      new Promise((resolve) => {
        const sent = request({ ...options, method: 'POST', path: `/users/${name}` }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode!))
        })
        sent.on('error', () => resolve('refused')).end()
      })

    expect(await post('first')).toBe(201)
    const answers: (number | 'refused')[] = []
    let stop = false
    const client = async (id: number): Promise<void> => {
      for (let i = 0; !stop; i++) answers.push(await post(`u-${id}-${i}`))
    }
    const clients = Array.from({ length: 32 }, (_, id) => client(id))
    await until(
      () => answers.length > 300,
      () => `${answers.length} answers`,
    )
    child.kill('SIGTERM')
    const code = await ended
    stop = true
    await Promise.all(clients)
    agent.destroy()

    expect(code, output()).toBe(0)
    expect(output().match(/database closed/g)).toHaveLength(1)
    const { DatabaseSync } = await import('@photostructure/sqlite')
    const database = new DatabaseSync(join(folder, 'shop.db'))
    const { count } = database.prepare('select count(*) as count from users').get() as { count: number }
    database.close()
    expect(count).toBe(1 + answers.filter((answer) => answer === 201).length)
    expect(new Set(answers)).toEqual(new Set([201, 'refused']))
  })
})
