import type { Worker } from 'node:cluster'

/** The messages of Node's cluster that pass a connection to a worker, and the worker's reply. */
interface HandOver {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

/**
 * Close the connection that was being passed to a worker when the worker died. Node never closes it, so its client
 * would wait for ever. If Node's internal messages change one day, this does nothing.
 */
export const closeLost = (worker: Worker): void => {
  const child = worker.process
  const send = child.send as (message: HandOver, handle?: { close?(): void }, ...more: unknown[]) => boolean
  const passing = new Map<number | undefined, { close?(): void }>()
  const watched: typeof send = (message, handle, ...more) => {
    if (handle && message.act === 'newconn') passing.set(message.seq, handle)
    return send.call(child, message, handle, ...more)
  }
  Object.assign(child, { send: watched })
  child.on('internalMessage', ({ ack }: HandOver) => passing.delete(ack))
  const close = (): void => {
    for (const handle of passing.values()) handle.close?.()
    passing.clear()
  }
  // All messages of the worker have been read by then. Node does not emit `disconnect` while a connection is being
  // passed
  worker.once('disconnect', close)
  worker.once('exit', () => worker.isConnected() || close())
}
