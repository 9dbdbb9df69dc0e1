import type { OutgoingRuntime } from '../contract.ts'

/** Bun leaves a body as it is if it is told to. */
export const send: OutgoingRuntime['send'] = (request) => fetch(request, { decompress: false } as RequestInit)

/** By itself, it decodes a body with one coding other than `identity`, and leaves the header as it was. */
export const decodes: OutgoingRuntime['decodes'] = (coding, custom) =>
  custom && /^(?:[\s,]|identity\b)*(?:(?:x-)?gzip|deflate|br|zstd)(?:[\s,]|\bidentity\b)*$/i.test(coding)

/** `fetch` sends `//admin` as `/admin`; `WebSocket` does not. */
export const joinsSlashes = true
