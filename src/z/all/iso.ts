/**
 * Dates and times of ISO 8601 as strings, with the methods of zod 3: `z.iso.date()` is `z.string().date()`.
 *
 * @module
 */

import * as iso from '../iso.ts'
import type { Zod3String } from './string.ts'
import { ofStrings } from './string-formats.ts'
import type { Zod3Schema } from './zod3-methods.ts'

/** A day that exists. */
export const date: (...given: Parameters<typeof iso.date>) => Zod3Schema<Zod3String> = /* @__PURE__ */ ofStrings(
  iso.date,
)
/** A time of day. */
export const time: (...given: Parameters<typeof iso.time>) => Zod3Schema<Zod3String> = /* @__PURE__ */ ofStrings(
  iso.time,
)
/** A day and time. */
export const datetime: (...given: Parameters<typeof iso.datetime>) => Zod3Schema<Zod3String> =
  /* @__PURE__ */ ofStrings(iso.datetime)
/** A duration of ISO 8601-1. */
export const duration: (...given: Parameters<typeof iso.duration>) => Zod3Schema<Zod3String> =
  /* @__PURE__ */ ofStrings(iso.duration)
