import { isOrigin } from '../header/origin.ts'
import { checkOption } from '../options/check.ts'
import type { Awaitable } from '../promise/awaitable.ts'

type UpgradeRequest = { readonly url: URL; header(name: string): string | null }

/** Pages that may connect. */
export type OriginRule = 'same' | '*' | readonly string[] | ((origin: string) => Awaitable<boolean>)

/**
 * A cross-origin page can open a WebSocket, cookies included, without a preflight (RFC 6455 §10.2).
 * @throws {TypeError} for a rule that cannot be used
 */
export const isOwnPage = (rule: OriginRule): ((ctx: UpgradeRequest) => Awaitable<boolean>) => {
  const isValid =
    rule === 'same' || rule === '*' || typeof rule === 'function' || (Array.isArray(rule) && rule.every(isOrigin))
  checkOption(isValid, 'webSocket: origin', '"same", "*", a function or a list such as ["https://a.example"]', rule)
  return (ctx) => {
    const origin = ctx.header('origin')
    if (origin === null || rule === '*') return true
    if (typeof rule === 'function') return rule(origin)
    if (rule !== 'same') return rule.includes(origin)
    // Behind a proxy that ends TLS, the scheme may differ, but not the host with its port
    const host = /^https?:\/\/(.+)$/.exec(origin)?.[1]
    return host !== undefined && host === ctx.url.host
  }
}
