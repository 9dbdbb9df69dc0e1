import type { Core } from './core.ts'
import type { AnyCore, Definition } from './definition.ts'
import type { Context } from './json-schema-types.ts'

interface ContainerDefinition extends Definition {
  readonly values: readonly unknown[]
  readonly [part: string]: unknown
}

/** Whether a schema accepts `undefined`, or may return it. */
export const mayMiss = (
  schema: AnyCore,
  io: Context['io'],
  coerced: boolean,
  open: readonly unknown[] = [],
): boolean => {
  const { def } = schema
  const { inner, options, target, left, right, getter } = def as ContainerDefinition
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
      return (def as ContainerDefinition).values.includes(undefined)
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
      return into(inner) && !refusesNothing(schema)
    case 'brand':
    case 'readonly':
    case 'nullable':
      return into(inner)
    default:
      // A document describes the coerced value, and `Number(undefined)` and the like are refused
      return (
        io === 'input' && !!(def as ContainerDefinition).coerce && (!coerced || /^(string|boolean)$/.test(def.type))
      )
  }
}

/** Whether the function of a `refine` refuses `undefined`, as in `instanceof`. An asynchronous one is not called. */
const refusesNothing = (schema: AnyCore): boolean => {
  try {
    return !(schema as Core).safeParse(undefined).success
  } catch {
    return false
  }
}
