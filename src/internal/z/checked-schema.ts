import { derive } from './core.ts'
import type { Check, CheckedDefinition } from './definition.ts'
import { Schema } from './schema.ts'

/** A schema whose rule is its type and a list of checks. */
export class CheckedSchema<out T> extends Schema<T> {
  declare readonly def: CheckedDefinition

  /** Add checks, as `formats` of `sluice/z` and `sluice/z/mini` make them. */
  check(...checks: readonly Check[]): this {
    return derive(this, { ...this.def, checks: [...this.def.checks, ...checks] })
  }
}
