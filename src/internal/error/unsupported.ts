import { refusal } from './refusal.ts'

/** A 415 that lists the supported types (RFC 9110 §15.5.16), in `accept` or `accept-encoding`. */
export const unsupported = (field: string, accepted: string): Error =>
  refusal(415, 'Unsupported Media Type', { headers: { [field]: accepted } })
