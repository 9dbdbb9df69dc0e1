import type { OutgoingRuntime } from '../contract.ts'

export const send: OutgoingRuntime['send'] = (request) => fetch(request)

/** One coding, or several on top of each other; workerd only one of two. */
export const decodes: OutgoingRuntime['decodes'] = (coding) =>
  globalThis.navigator?.userAgent === 'Cloudflare-Workers'
    ? /^(?:gzip|br)$/.test(coding)
    : /^(?:(?:(?:x-)?gzip|deflate|br)(?: *, *|$))+$/i.test(coding)

export const joinsSlashes = false
