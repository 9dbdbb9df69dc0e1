import { derive } from './core.ts'
import type { AnyCore, Definition } from './definition.ts'
import { wrap } from './schema.ts'
import type { Shape } from './types.ts'
import { makeOptional } from './wrap-runs.ts'

interface Parts extends Definition {
  readonly shape?: Shape
  readonly items?: readonly AnyCore[]
  readonly inner?: AnyCore
}

/**
 * Let every key of every object in a schema be missing. Schemas are told apart by their kind, so that no other is loaded
 * for it.
 */
export const deepen = (schema: AnyCore): AnyCore => {
  const { type, shape, items, inner } = schema.def as Parts
  if (shape) {
    const fields = Object.entries(shape).map(([key, field]) => [key, wrap(deepen(field), 'optional', makeOptional)])
    return derive(schema, { ...schema.def, shape: Object.fromEntries(fields) })
  }
  if (items) return derive(schema, { ...schema.def, items: items.map(deepen), rest: undefined })
  return inner && /^(optional|nullable|array)$/.test(type)
    ? derive(schema, { ...schema.def, inner: deepen(inner) })
    : schema
}
