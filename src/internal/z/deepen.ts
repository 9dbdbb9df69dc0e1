import { derive } from './core.ts'
import type { AnyCore, DefinitionParts } from './definition.ts'
import { wrap } from './schema.ts'
import { makeOptional } from './wrap-runs.ts'

/** The deep form of each object schema, so that a schema that contains itself through a getter is made once. */
const deepened: WeakMap<AnyCore, AnyCore> = /* @__PURE__ */ new WeakMap()

/** Make every key of every object in a schema optional. */
export const deepen = (schema: AnyCore): AnyCore => {
  const { type, shape, items, inner } = schema.def as DefinitionParts
  if (shape) {
    const previous = deepened.get(schema)
    if (previous) return previous
    const fields = {}
    const deep = derive(schema, { ...schema.def, shape: fields })
    // A getter may call deepPartial: a schema that is deep already stays as it is
    for (const form of [schema, deep]) deepened.set(form, deep)
    for (const key of Object.keys(shape)) {
      const value = (): AnyCore => wrap(deepen(shape[key]!), 'optional', makeOptional)
      const descriptor = Object.getOwnPropertyDescriptor(shape, key)!
      // A getter is called later, because it may make new schemas without end
      const property = descriptor.get ? { get: value, configurable: true } : { value: value() }
      Object.defineProperty(fields, key, { ...property, enumerable: true })
    }
    return deep
  }
  if (items) return derive(schema, { ...schema.def, items: items.map(deepen), rest: undefined })
  return inner && /^(optional|nullable|array)$/.test(type)
    ? derive(schema, { ...schema.def, inner: deepen(inner) })
    : schema
}
