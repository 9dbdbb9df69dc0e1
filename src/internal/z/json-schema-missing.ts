import type { Core } from './core.ts'
import type { AnyCore, DefinitionParts } from './definition.ts'
import type { Context } from './json-schema-types.ts'

/** Whether a schema accepts `undefined`, or may return it. `coerced` means that the coerced value is described. */
export const mayMiss = (schema: AnyCore, io: Context['io'], coerced: boolean, open: unknown[] = []): boolean => {
  const { type, inner, options, target, left, right, getter, values, coerce } = schema.def as DefinitionParts
  const isInput = io === 'input'
  const into = (child: AnyCore | undefined): boolean => mayMiss(child!, io, coerced, [...open, getter])
  if (/^(optional|undefined|void|any|unknown)$/.test(type)) return true
  if (/^(brand|readonly|nullable)$/.test(type)) return into(inner)
  if (type === 'lazy') return !open.includes(getter) && into(getter!())
  if (type === 'enum') return values!.includes(undefined)
  if (type === 'default') return isInput
  if (type === 'catch' || type === 'preprocess') return isInput || into(inner)
  if (type === 'transform') return !isInput || into(inner)
  if (type === 'pipe') return into(isInput ? inner : target)
  if (type === 'union') return options!.some(into)
  if (type === 'intersection') return into(left) && into(right)
  if (type === 'refine') return into(inner) && accepts(schema, undefined) !== false
  // `Number(undefined)` and the like are refused
  return isInput && !!coerce && (!coerced || /^(string|boolean)$/.test(type))
}

/** Whether a schema accepts a value; `undefined` if its code throws, as an asynchronous function does here. */
export const accepts = (schema: AnyCore, value: unknown): boolean | undefined => {
  try {
    return (schema as Core).safeParse(value).success
  } catch {
    return undefined
  }
}
