import type { OutgoingRuntime } from '../contract.ts'

/** The signal once more: in Node 20 a request that is garbage no longer passes it on, even while `fetch` sends it. */
export const send: OutgoingRuntime['send'] = (request, init) => fetch(request, init)

const [major, minor] = (process.versions.undici ?? '').split('.').map(Number) as [number, number]
/** `fetch` knows zstd since undici 7.11, which is in Node 24.4. */
const KNOWN = major * 1000 + minor >= 7011 ? /^(?:(?:x-)?gzip|deflate|br|zstd)$/i : /^(?:(?:x-)?gzip|deflate|br)$/i

/** Node decodes one coding, or several on top of each other, if it knows them all, and leaves the header as it was. */
export const decodes: OutgoingRuntime['decodes'] = (coding) =>
  coding.split(',').every((token) => KNOWN.test(token.trim()))

export const joinsSlashes = false
