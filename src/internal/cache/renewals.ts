import { peerOf } from '#runtime/core'
import { cancelBody } from '../../kernel/boundary.ts'
import type { BaseContext } from '../../kernel/context.ts'

/** Replaces stale responses that were sent, each with a new request to the application. */
export interface Renewals {
  /** Whether {@link Renewals.begin} has sent the request of this context. */
  has(ctx: BaseContext): boolean
  /** Send the request of a context again, unless this key is being renewed. Resolves when the response has arrived. */
  begin(ctx: BaseContext, key: string): Promise<void> | undefined
}

export const createRenewals = (): Renewals => {
  const running = new Set<string>()
  const sentRequests = new WeakSet<Request>()
  return {
    has: ({ raw }) => sentRequests.has(raw),
    begin(ctx, key) {
      const { settings, raw, execution } = ctx
      if (running.has(key) || !settings.fetch) return undefined
      // The whole response is needed, even if the client has a part of it
      const headers = [...raw.headers].filter(([name]) => !/^(?:if-.*|content-.*|transfer-encoding)$/.test(name))
      const request = new Request(raw.url, { headers })
      running.add(key)
      sentRequests.add(request)
      // The address of the client: without one, address lists refuse the request, and all such requests share a limit
      const peer = peerOf(ctx.request, ctx.env, execution)
      const waitUntil = (promise: Promise<unknown>): void => execution?.waitUntil?.(promise)
      const renew = async (): Promise<void> => {
        // The stale response is sent first, even if the handler computes for long
        await new Promise<void>((resolve) => setTimeout(resolve))
        try {
          cancelBody(await settings.fetch!(request, ctx.env, { ...execution, waitUntil, peer }))
        } finally {
          running.delete(key)
        }
      }
      return renew()
    },
  }
}
