import type { AnyCore } from './definition.ts'

/** Whether a value is a schema of any door, not parameters. */
export const isSchema = (given: unknown): given is AnyCore => (given as AnyCore | undefined)?.def !== undefined
