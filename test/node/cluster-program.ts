import { spawn } from 'node:child_process'
import { type Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterEach, expect } from 'vitest'
import type { ListenOptions } from '../../src/runtime/serve-contract.ts'
import { watch } from './child.ts'
import { eventually, within } from './wire.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What to do after the test. */
export const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** Start the program, with what it has written and who listens so far. */
export const start = (options: ListenOptions & { workers: number }, fault = '', file = '', node = process.execPath) => {
  const program = fileURLToPath(new URL('fixtures/cluster.ts', import.meta.url))
  const args = ['--import', 'tsx', '--conditions=sluice-source', program, JSON.stringify(options), fault, file]
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', TSX_TSCONFIG_PATH: `${root}tsconfig.json` },
  })
  const { seen, exit } = watch(child)
  const numbers = (pattern: RegExp): number[] =>
    Array.from(seen.output.matchAll(pattern), ([, number]) => Number(number))
  const workers = (): number[] => numbers(/^worker (\d+) listens/gm)
  ended.push(() => {
    for (const pid of workers()) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
  })
  const port = async (): Promise<number> => {
    // A worker writes its line after it has told the supervisor
    const ready = () => /^supervisor \d+ listens/m.test(seen.output) && workers().length >= options.workers
    await eventually(() => ready() || child.exitCode !== null, 'the port', 60_000)
    return numbers(/^supervisor \d+ listens on (\d+)/gm)[0] ?? expect.fail(seen.errors)
  }
  return { child, seen, exit: () => within(60_000, exit, 'the end of the process'), workers, numbers, port }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What a request gets: the text of its answer, or why there is none. */
export const ask = (
  port: number,
  path = '/',
  agent: Agent | false = false,
): Promise<{ status?: number; text: string }> =>
  new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path, agent }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, text }))
      response.on('error', ({ message }) => resolve({ text: message }))
    })
    request.on('error', ({ message }) => resolve({ text: message }))
  })
