import type { OutgoingRuntime } from '../contract.ts'

export const send: OutgoingRuntime['send'] = (request) => fetch(request)

/** Deno decodes only what it asked for itself, and then removes the headers of the coded body. */
export const decodes: OutgoingRuntime['decodes'] = () => false

export const joinsSlashes = false
