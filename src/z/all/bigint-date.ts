import { makeChecked } from '../../internal/z/checks.ts'
import type { CheckedDefinition } from '../../internal/z/definition.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import { BigIntSchema } from '../bigint.ts'
import { DateSchema, date as smallDate } from '../date.ts'
import { limitOf } from './number.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create } from './zod3-schema.ts'

/** The schema that `bigint()` of `sluice/zod3` returns. */
export class Zod3BigInt extends BigIntSchema {
  /** Change the value and keep its type, for the checks that follow and for the output. */
  declare readonly overwrite: (change: (value: bigint) => bigint) => this

  /** The greatest of the lower bounds. */
  get minValue(): bigint | null {
    return strictest(this, 'min', (a, b) => a > b)
  }

  /** The least of the upper bounds. */
  get maxValue(): bigint | null {
    return strictest(this, 'max', (a, b) => a < b)
  }
}

const strictest = (
  { def }: BigIntSchema,
  boundKind: 'min' | 'max',
  better: (a: bigint, b: bigint) => boolean,
): bigint | null =>
  def.checks
    .filter(({ kind }) => kind === boundKind)
    .map(({ value }) => value as bigint)
    .reduce<bigint | null>((best, limit) => (best === null || better(limit, best) ? limit : best), null)

/** Accept bigints. */
export const bigint = (params?: ErrorParams): Zod3Schema<Zod3BigInt> => bigintOf(params)

/** A schema of bigints; `coerce` converts the value first. */
export const bigintOf = (params?: ErrorParams, coerce?: CheckedDefinition['coerce']): Zod3Schema<Zod3BigInt> =>
  create(Zod3BigInt, { type: 'bigint', checks: [], params, coerce }, makeChecked)

/** The schema that `date()` of `sluice/zod3` returns. */
export class Zod3Date extends DateSchema {
  /** Change the value and keep its type, for the checks that follow and for the output. */
  declare readonly overwrite: (change: (value: Date) => Date) => this

  /** The latest of the lower bounds. */
  get minDate(): Date | null {
    return dateOf(limitOf(this, 'min', Math.max))
  }

  /** The earliest of the upper bounds. */
  get maxDate(): Date | null {
    return dateOf(limitOf(this, 'max', Math.min))
  }
}

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** The schema of `sluice/zod3` for a schema of dates of `sluice/z`. */
export const toZod3Date = ({ def, make }: DateSchema): Zod3Schema<Zod3Date> => create(Zod3Date, def, make)

/** Accept `Date` objects, but not strings: for strings see `coerce.date()`. */
export const date = (params?: ErrorParams): Zod3Schema<Zod3Date> => toZod3Date(smallDate(params))
