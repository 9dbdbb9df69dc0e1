import { peerOf, withoutBody } from '#runtime/core'
import type { BaseContext } from '../../kernel/context.ts'

/** Produces responses again after stale ones were sent, each with a new request to the application. */
export interface Renewals {
  /** True if {@link Renewals.begin} has sent the request of this context. */
  has(ctx: BaseContext): boolean
  /**
   * Send the request of a context again, unless its response is already being renewed.
   *
   * @param at where the cache keeps the entry
   * @returns resolves when the application has responded; `undefined` if nothing was sent
   */
  begin(ctx: BaseContext, at: string): Promise<void> | undefined
}

export const createRenewals = (): Renewals => {
  const running = new Set<string>()
  const renewing = new WeakSet<Request>()
  return {
    has: ({ raw }) => renewing.has(raw),
    begin(ctx, at) {
      const { settings, raw, execution } = ctx
      if (running.has(at) || !settings.fetch) return undefined
      // The whole response is needed, even if the client has a part of it
      const headers = [...raw.headers].filter(([name]) => !/^(?:if-.*|content-.*|transfer-encoding)$/.test(name))
      const request = new Request(raw.url, { headers })
      running.add(at)
      renewing.add(request)
      // The address of the client: without one, address lists refuse the request, and all such requests share a limit
      const peer = peerOf(ctx.request, ctx.env, execution)
      const waitUntil = (promise: Promise<unknown>): void => execution?.waitUntil?.(promise)
      const renew = async (): Promise<void> => {
        // The stale response is sent first, even if the handler computes for long
        await new Promise<void>((resolve) => setTimeout(resolve))
        try {
          withoutBody(await settings.fetch!(request, ctx.env, { ...execution, waitUntil, peer }))
        } finally {
          running.delete(at)
        }
      }
      return renew()
    },
  }
}
