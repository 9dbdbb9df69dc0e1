/**
 * Dates and times of ISO 8601 as texts, with the methods of zod 3: `z.iso.date()` is `z.string().date()`.
 *
 * @module
 */

import * as iso from '../iso.ts'
import type { WholeString } from './string.ts'
import { ofStrings } from './string-formats.ts'
import type { Whole } from './zod3-methods.ts'

/** A day that exists. */
export const date: (...given: Parameters<typeof iso.date>) => Whole<WholeString> = /* @__PURE__ */ ofStrings(iso.date)
/** A time of day. */
export const time: (...given: Parameters<typeof iso.time>) => Whole<WholeString> = /* @__PURE__ */ ofStrings(iso.time)
/** A day and time. */
export const datetime: (...given: Parameters<typeof iso.datetime>) => Whole<WholeString> = /* @__PURE__ */ ofStrings(
  iso.datetime,
)
/** A duration of ISO 8601-1. */
export const duration: (...given: Parameters<typeof iso.duration>) => Whole<WholeString> = /* @__PURE__ */ ofStrings(
  iso.duration,
)
