import * as elysia from '../http/elysia.mjs'
import * as h3 from '../http/h3.mjs'
import * as hono from '../http/hono.mjs'
import * as sluice from '../http/sluice.mjs'
import { raw } from './raw.mjs'

const peers = { sluice, hono, h3, elysia }
const onWorkerd = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** What answers a row of a contender: its `fetch`, and the application where there is one. */
export const fetchOf = (contender, name) => {
  if (contender === 'raw') return { fetch: raw[name] }
  const app = peers[contender].appOf(name, onWorkerd ? { aot: false } : undefined)
  return {
    app: contender === 'sluice' || contender === 'elysia' ? app : undefined,
    fetch: (request) => app.fetch(request),
  }
}
