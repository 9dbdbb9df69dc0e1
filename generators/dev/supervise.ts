import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Output } from '../output.ts'
import { watchProject } from './watch.ts'

/** What is supervised. */
export interface Supervision {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Arguments of this runtime that start the server. */
  readonly args: readonly string[]
  readonly output: Output
}

/** How long a server may take to finish its requests before it is ended, in milliseconds. */
const GRACE_MS = 2000

/** Keep a server running: start it again when a file changes, and wait for the next change when it dies. Never settles. */
export const superviseServer = ({ root, env, args, output }: Supervision): Promise<never> => {
  const { note, paint } = output
  let child = start(root, env, args, output)
  // One restart at a time; changes while it runs lead to one more behind it.
  let restarting = Promise.resolve()
  let waiting = 0
  watchProject(root, (file) => {
    if (waiting > 0) return
    waiting++
    restarting = restarting.then(async () => {
      waiting--
      note(paint.dim(`${file} changed, starting anew`))
      await stop(child)
      child = start(root, env, args, output)
    })
  })
  process.once('exit', () => void child.kill('SIGTERM'))
  return new Promise(() => {})
}

/** The server reads its standard input to the end: that comes when this process is gone, however it went. */
const start = (
  cwd: string,
  env: Supervision['env'],
  args: readonly string[],
  { note, paint }: Output,
): ChildProcess => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'inherit', 'inherit'] })
  child.once('error', (error) => note(`sluice: the server cannot be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === null && code !== 0) note(paint.red(`The server ended with exit code ${code}; waiting for a change`))
  })
  return child
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  await gone
  clearTimeout(impatience)
}
