import type { Core } from './core.ts'
import type { AnyCore } from './definition.ts'
import type { Context, DescribedDefinition } from './json-schema-types.ts'

/** Whether a schema accepts `undefined`, or may return it. `coerced` means that the coerced value is described. */
export const mayMiss = (schema: AnyCore, io: Context['io'], coerced: boolean, open: unknown[] = []): boolean => {
  const { inner, options, target, left, right, getter, ...def } = schema.def as DescribedDefinition
  const into = (child: unknown): boolean => mayMiss(child as AnyCore, io, coerced, [...open, getter])
  switch (def.type) {
    case 'lazy':
      return !open.includes(getter) && into((getter as () => AnyCore)())
    case 'optional':
    case 'undefined':
    case 'void':
    case 'any':
    case 'unknown':
      return true
    case 'enum':
      return (def.values as unknown[]).includes(undefined)
    case 'default':
    case 'catch':
      return io === 'input' || (def.type === 'catch' && into(inner))
    case 'union':
      return (options as AnyCore[]).some(into)
    case 'intersection':
      return into(left) && into(right)
    case 'pipe':
      return into(io === 'input' ? inner : target)
    case 'preprocess':
      return io === 'input' || into(inner)
    case 'transform':
      return io === 'output' || into(inner)
    case 'refine':
      return into(inner) && !refusesUndefined(schema)
    case 'brand':
    case 'readonly':
    case 'nullable':
      return into(inner)
    default:
      // `Number(undefined)` and the like are refused
      return io === 'input' && !!def.coerce && (!coerced || /^(string|boolean)$/.test(def.type))
  }
}

/** As `instanceof` does. An asynchronous function throws here, and may accept it. */
const refusesUndefined = (schema: AnyCore): boolean => {
  try {
    return !(schema as Core).safeParse(undefined).success
  } catch {
    return false
  }
}
