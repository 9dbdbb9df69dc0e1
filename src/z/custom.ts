import type { Effect, Schema } from '../internal/z/schema.ts'
import type { MessageFor } from '../internal/z/types.ts'
import { any } from './primitives.ts'

/**
 * Accept values for which a function returns true; all values without one. Later checks do not run on a refused value.
 * Reports `custom`.
 *
 * @example
 * custom<`${number}px`>((value) => /^\d+px$/.test(String(value))).parse('5px') // '5px'
 */
export const custom = <T = unknown>(
  check?: (value: unknown) => unknown | Promise<unknown>,
  message?: MessageFor<unknown>,
): Effect<Schema<T>> => {
  const words = typeof message === 'function' ? message : () => (typeof message === 'object' ? message : { message })
  return any().refine(check ?? (() => true), (value: unknown) => ({ fatal: true, ...words(value) }))
}

/**
 * Accept instances of a class: `z.instanceof(Map)`. Reports `custom`.
 *
 * @example
 * instanceOf(URL).safeParse('https://x.io').success // false
 */
export const instanceOf = <T>(
  type: abstract new (...args: never[]) => T,
  // It is not a message of the schema, which a locale would not replace
  message: MessageFor<unknown> = { '~text': `Input not instance of ${type.name}` } as object,
): Effect<Schema<T>> => custom<T>((value) => value instanceof type, message)
