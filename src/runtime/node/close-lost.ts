import type { Worker } from 'node:cluster'

/** What Node's cluster tells a worker with a connection, and what the worker answers. */
interface HandOver {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

/**
 * Close the connection that was on its way to a worker when that died. Node never closes it, so its client would wait
 * for ever. If Node's cluster speaks otherwise one day, this does nothing.
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
  // What the worker has said is read by then. Node leaves `disconnect` out while a connection is on its way
  worker.once('disconnect', close)
  worker.once('exit', () => worker.isConnected() || close())
}
