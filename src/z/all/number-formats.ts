import type { Params } from '../../internal/z/issue.ts'
import type { BigIntSchema } from '../bigint.ts'
import type { NumberSchema } from '../number.ts'
import * as formats from '../number-formats.ts'
import { Zod3BigInt } from './bigint-date.ts'
import { Zod3Number } from './number.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create } from './zod3-schema.ts'

const ofNumbers =
  (make: (params?: Params) => NumberSchema): ((params?: Params) => Zod3Schema<Zod3Number>) =>
  (params) => {
    const schema = make(params)
    return create(Zod3Number, schema.def, schema.make)
  }

const ofBigInts =
  (make: (params?: Params) => BigIntSchema): ((params?: Params) => Zod3Schema<Zod3BigInt>) =>
  (params) => {
    const schema = make(params)
    return create(Zod3BigInt, schema.def, schema.make)
  }

/** A whole number from `Number.MIN_SAFE_INTEGER` to `Number.MAX_SAFE_INTEGER`. */
export const int: (params?: Params) => Zod3Schema<Zod3Number> = /* @__PURE__ */ ofNumbers(formats.int)
/** A whole number of 32 bits with a sign. */
export const int32: (params?: Params) => Zod3Schema<Zod3Number> = /* @__PURE__ */ ofNumbers(formats.int32)
/** A whole number of 32 bits without a sign. */
export const uint32: (params?: Params) => Zod3Schema<Zod3Number> = /* @__PURE__ */ ofNumbers(formats.uint32)
/** A finite number in the range of 32 bits; its precision is not tested. */
export const float32: (params?: Params) => Zod3Schema<Zod3Number> = /* @__PURE__ */ ofNumbers(formats.float32)
/** A finite number. */
export const float64: (params?: Params) => Zod3Schema<Zod3Number> = /* @__PURE__ */ ofNumbers(formats.float64)
/** A bigint of 64 bits with a sign. */
export const int64: (params?: Params) => Zod3Schema<Zod3BigInt> = /* @__PURE__ */ ofBigInts(formats.int64)
/** A bigint of 64 bits without a sign. */
export const uint64: (params?: Params) => Zod3Schema<Zod3BigInt> = /* @__PURE__ */ ofBigInts(formats.uint64)
