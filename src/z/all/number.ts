import { makeChecked } from '../../internal/z/checks.ts'
import type { CheckedDefinition } from '../../internal/z/definition.ts'
import type { ErrorParams, Message } from '../../internal/z/issue.ts'
import { NumberSchema } from '../number.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create } from './zod3-schema.ts'

/** The schema that `number()` of `sluice/zod3` returns, with every check of zod 3. */
export class Zod3Number extends NumberSchema {
  /** The other name of `multipleOf`. */
  step(step: number, message?: Message): this {
    return this.multipleOf(step, message)
  }

  /** The greatest of the lower bounds. */
  get minValue(): number | null {
    return limitOf(this, 'min')
  }

  /** The least of the upper bounds. */
  get maxValue(): number | null {
    return limitOf(this, 'max')
  }

  /** True if only whole numbers are accepted. */
  get isInt(): boolean {
    return this.def.checks.some(
      ({ kind, value }) => kind === 'int' || (kind === 'multipleOf' && Number.isInteger(value)),
    )
  }

  /** True if only finite numbers are accepted. */
  get isFinite(): boolean {
    const hasFiniteCheck = this.def.checks.some(({ kind }) => /^(finite|int|multipleOf)$/.test(kind))
    return hasFiniteCheck || (Number.isFinite(this.minValue) && Number.isFinite(this.maxValue))
  }
}

/** The strictest bound of one kind. */
export const limitOf = <T extends number | bigint>(
  { def }: { readonly def: CheckedDefinition },
  boundKind: 'min' | 'max',
): T | null => {
  const limits = def.checks.filter(({ kind }) => kind === boundKind).map(({ value }) => value as T)
  return limits.sort((a, b) => (a > b ? 1 : -1)).at(boundKind === 'min' ? -1 : 0) ?? null
}

/** Accept numbers, `Infinity` included, `NaN` not. */
export const number = (params?: ErrorParams): Zod3Schema<Zod3Number> =>
  create(Zod3Number, { type: 'number', checks: [], params }, makeChecked)
