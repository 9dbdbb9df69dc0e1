import { tryCall } from '../../internal/promise/awaitable.ts'
import type { Puller, SourcedBody } from '../../internal/stream/to-stream.ts'
import type { PumpSource } from './pump.ts'

/**
 * The source behind a locked stream. Reading it needs neither promises nor an encoder. Like a stream, it is not
 * cancelled once it has ended, failed or been cancelled.
 */
export const directSource = (stream: SourcedBody): PumpSource | undefined => {
  const source = stream['~source']
  if (!source) return undefined
  let over = false
  const see = (result: Awaited<ReturnType<Puller['pull']>>) => {
    over ||= !!result.done
    return result
  }
  const fail = (error: unknown): never => {
    over = true
    throw error
  }
  return {
    read: () => tryCall(source.pull, undefined, fail, see),
    async cancel(reason) {
      if (over) return
      over = true
      await source.cancel(reason)
    },
  }
}
