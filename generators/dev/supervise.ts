import { type ChildProcess, spawn } from 'node:child_process'
import type { Output } from '../output.ts'
import { type FailurePage, openFailurePage } from './failure-page.ts'
import { watchProject } from './watch.ts'

/** The server to supervise. */
export interface Supervision {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The module that exports the application, absolute. */
  readonly app: string
  /** Arguments of this runtime that start the server. */
  readonly args: readonly string[]
  /** Where the server listens. */
  readonly port: number
  readonly host: string
  readonly output: Output
}

/** Time for a server to finish its requests before it is killed, in milliseconds. */
const GRACE_MS = 2000

/** Delay between a start and the preparation of the next process, in milliseconds, so that the start is not slowed. */
const STANDBY_MS = 400

/** Files that a process reads when it starts. After a change, a process that is waiting cannot be used. */
const READ_EARLY = /^(?:package|tsconfig)\.json$/

/** Maximum length of the last output of a server, which the page about its exit shows, in characters. */
const LAST_WORDS = 20_000

/** Signals that a terminal or a process manager sends to this process too. */
const STOPPING: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Keep a server running: restart it when a file changes, and show why it exited until the next change. Never settles.
 *
 * The next process is started while this one serves. It loads the runtime, the TypeScript loader and the framework, and
 * then waits for a message: after a change, only the application must be imported.
 */
export const superviseServer = (supervision: Supervision): Promise<never> => {
  const { root, port, host, output } = supervision
  const { note, paint } = output
  let standby: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let page: Promise<FailurePage> | undefined
  let current: ChildProcess | undefined

  const launch = (order: 'start' | 'restart'): void => {
    // A process that ended while it waited, such as for lack of memory, cannot be started.
    const child = standby !== undefined && isRunning(standby) ? standby : prepare(supervision)
    standby = undefined
    current = child
    const words = keepLastWords(child)
    child.stdin?.write(`${order} ${port}\n`)
    child.once('exit', (code, signal) => {
      if (child !== current || (signal !== null && STOPPING.has(signal))) return
      showExit(`The server ended with ${signal === null ? `exit code ${code}` : `the signal ${signal}`}`, words())
    })
    clearTimeout(timer)
    timer = setTimeout(() => {
      standby ??= prepare(supervision)
    }, STANDBY_MS)
  }

  const showExit = (reason: string, said: string): void => {
    note(paint.red(`${reason}; waiting for a change`))
    page = openFailurePage({ root, port, host }, said.trim() === '' ? reason : said).catch((error: Error) => {
      note(`sluice: the page about the exit cannot be shown: ${error.message}`)
      return { close: async () => {} }
    })
  }

  // Restarts run one after the other. Changes while one waits are part of it.
  let turn = Promise.resolve()
  let isQueued = false
  const restart = async (): Promise<void> => {
    isQueued = false
    stop(current)
    current = undefined
    const shown = await page
    page = undefined
    await shown?.close()
    launch('restart')
  }
  watchProject(root, supervision.app, (file) => {
    if (READ_EARLY.test(file)) {
      standby?.kill('SIGTERM')
      standby = undefined
    }
    if (isQueued) return
    isQueued = true
    note(paint.dim(`${file} changed, restarting`))
    turn = turn.then(restart)
  })
  launch('start')
  process.once('exit', () => {
    current?.kill('SIGTERM')
    standby?.kill('SIGTERM')
  })
  return new Promise(() => {})
}

/** Start a process that prepares to import the application. Its standard input ends when this process ends. */
const prepare = ({ root: cwd, env, args, output }: Supervision): ChildProcess => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'inherit', 'pipe'] })
  child.once('error', (error) => output.note(`sluice: the server cannot be started: ${error.message}`))
  // Writing to a process that has ended fails.
  child.stdin?.on('error', () => {})
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  return child
}

const keepLastWords = (child: ChildProcess): (() => string) => {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk).slice(-LAST_WORDS)
  })
  return () => words
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Stop a server. Its port is free at once; its requests finish while the next process already serves. */
const stop = (child: ChildProcess | undefined): void => {
  if (child === undefined || !isRunning(child)) return
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  child.once('exit', () => clearTimeout(impatience))
}
