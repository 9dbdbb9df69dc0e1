import type { ErrorParams } from '../../internal/z/issue.ts'
import { BigIntSchema, bigint as smallBigint } from '../bigint.ts'
import { DateSchema, date as smallDate } from '../date.ts'
import { limitOf } from './number.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** The schema that `bigint()` of `sluice/zod3` returns. */
export class Zod3BigInt extends BigIntSchema {
  /** The greatest of the lower bounds. */
  get minValue(): bigint | null {
    return limitOf(this, 'min')
  }

  /** The least of the upper bounds. */
  get maxValue(): bigint | null {
    return limitOf(this, 'max')
  }
}

/** Accept bigints. */
export const bigint = (params?: ErrorParams): Zod3Schema<Zod3BigInt> => toZod3(smallBigint(params), Zod3BigInt)

/** The schema that `date()` of `sluice/zod3` returns. */
export class Zod3Date extends DateSchema {
  /** The latest of the lower bounds. */
  get minDate(): Date | null {
    return dateOf(limitOf(this, 'min'))
  }

  /** The earliest of the upper bounds. */
  get maxDate(): Date | null {
    return dateOf(limitOf(this, 'max'))
  }
}

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** Accept `Date` objects, but not strings: for strings see `coerce.date()`. */
export const date = (params?: ErrorParams): Zod3Schema<Zod3Date> => toZod3(smallDate(params), Zod3Date)
