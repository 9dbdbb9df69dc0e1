/**
 * Dates and times of ISO 8601 as strings, with the methods of zod 3: `z.iso.date()` is `z.string().date()`.
 *
 * @module
 */
import type { DateTimeOptions, TimeOptions } from '../../internal/z/format-tests.ts'
import type { Message } from '../../internal/z/issue.ts'
import type { WithMessage } from '../formats.ts'
import * as iso from '../iso.ts'
import { Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** A day that exists. */
export const date = (message?: Message): Zod3Schema<Zod3String> => toZod3(iso.date(message), Zod3String)

/** A time of day. */
export const time = (options?: WithMessage<TimeOptions>): Zod3Schema<Zod3String> =>
  toZod3(iso.time(options), Zod3String)

/** A day and time. */
export const datetime = (options?: WithMessage<DateTimeOptions>): Zod3Schema<Zod3String> =>
  toZod3(iso.datetime(options), Zod3String)

/** A duration of ISO 8601-1. */
export const duration = (message?: Message): Zod3Schema<Zod3String> => toZod3(iso.duration(message), Zod3String)
