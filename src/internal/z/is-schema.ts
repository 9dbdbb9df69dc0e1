import type { AnyCore } from './definition.ts'

/** Tells a schema, of any door, from parameters. */
export const isSchema = (given: unknown): given is AnyCore => (given as AnyCore | undefined)?.def !== undefined
