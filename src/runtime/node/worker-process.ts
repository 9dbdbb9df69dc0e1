import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { MAX_DELAY_MS } from '../../internal/time/delay.ts'

/** The message that tells a worker to finish its requests and exit. */
export const LEAVE = 'sluice:leave'

/** A report about `listen`: the port, which is `undefined` on a Unix socket, or the error. */
export type WorkerReport = { readonly port: number | undefined } | { readonly failed: string; readonly code: unknown }

export interface WorkerProcess {
  readonly pid: number
  /** Resolves when it listens; rejects if its `listen` rejects, or it ends before. */
  readonly listening: Promise<number | undefined>
  /** How it has ended: `with exit code 1` or `by SIGKILL`, and the error of its `listen`. */
  readonly ended: Promise<string>
  /** The time since it has begun to listen, in milliseconds. */
  age(): number
  /** End it after its requests, or kill it. @returns whether it has ended with exit code 0, or had not listened yet */
  stop(withinMs: number): Promise<boolean>
}

/** Start the program of this process again, as a worker. */
export const startWorker = (): WorkerProcess => {
  const worker = cluster.fork()
  const child = worker.process
  closeLost(worker)
  let since = Number.POSITIVE_INFINITY
  let died: number | undefined
  let listens = false
  let leaving = false
  let why = ''
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => {
      died = performance.now()
      resolve((signal ? `by ${signal}` : `with exit code ${code}`) + why)
    })
    // A process that was never started does not exit. Any other error is followed by an exit
    worker.on('error', ({ message }) => child.pid === undefined && resolve(atItsStart(message)))
  })
  const listening = new Promise<number | undefined>((resolve, reject) => {
    worker.on('message', (message: { readonly sluice?: WorkerReport } | null) => {
      const report = message?.sluice
      if (!report || typeof report !== 'object') return
      if ('failed' in report) {
        if (!listens) why = ` (${report.failed})`
        return reject(Object.assign(new Error(report.failed), { code: report.code }))
      }
      listens = true
      since = performance.now()
      resolve(report.port)
    })
    ended.then((how) => reject(new Error(`listen: workers: a worker ended ${how} before it listened`)))
  })
  listening.catch(() => {})
  return {
    pid: child.pid ?? 0,
    listening,
    ended,
    age: () => (died ?? performance.now()) - since,
    async stop(withinMs) {
      // A worker that is leaving has closed its channel, and a signal would end it before its requests
      if (!leaving) {
        if (listens && worker.isConnected()) worker.send(LEAVE)
        else child.kill('SIGTERM')
      }
      leaving = true
      const cut = setTimeout(() => child.kill('SIGKILL'), Math.min(withinMs, MAX_DELAY_MS))
      await ended
      clearTimeout(cut)
      return !listens || child.exitCode === 0
    },
  }
}

/** Stands for a worker that the system has refused to start. */
export const failedWorker = ({ message }: Error): WorkerProcess => {
  const listening = Promise.reject(new Error(`listen: workers: a worker did not start (${message})`))
  listening.catch(() => {})
  return { pid: 0, listening, ended: Promise.resolve(atItsStart(message)), age: () => 0, stop: async () => true }
}

const atItsStart = (message: string): string => `at its start (${message})`

interface HandOverMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

/** Close the connections that were being passed to a worker when it died: Node would leave their clients waiting. */
const closeLost = (worker: Worker): void => {
  const child = worker.process
  const send = child.send as (message: HandOverMessage, handle?: { close?(): void }, ...more: unknown[]) => boolean
  const passing = new Map<number | undefined, { close?(): void }>()
  const watched: typeof send = (message, handle, ...more) => {
    if (handle && message.act === 'newconn') passing.set(message.seq, handle)
    return send.call(child, message, handle, ...more)
  }
  Object.assign(child, { send: watched })
  child.on('internalMessage', ({ ack }: HandOverMessage) => passing.delete(ack))
  const close = (): void => {
    for (const handle of passing.values()) handle.close?.()
    passing.clear()
  }
  // All messages of the worker have been read by then. Node emits no `disconnect` while a connection is being passed
  worker.once('disconnect', close)
  worker.once('exit', () => worker.isConnected() || close())
}
