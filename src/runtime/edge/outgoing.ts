import type { OutgoingRuntime } from '../contract.ts'

export const send: OutgoingRuntime['send'] = (request) => fetch(request)

/** One coding, or several on top of each other. */
export const decodes: OutgoingRuntime['decodes'] = (coding) =>
  /^(?:(?:(?:x-)?gzip|deflate|br)(?: *, *|$))+$/i.test(coding)

export const joinsSlashes = false
