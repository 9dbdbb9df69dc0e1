import type { AnyCore, Definition, Run, Use } from './definition.ts'
import { INVALID, report, typeName } from './report.ts'

export const makeIntersection = (
  { left, right, params }: Definition & { left: AnyCore; right: AnyCore },
  use: Use,
): Run => {
  const first: Run = use(left)
  const second: Run = use(right)
  return (value, issues) => {
    const a = first(value, issues)
    const b = second(value, issues)
    if (a === INVALID || b === INVALID) return INVALID
    const merged = merge(a, b)
    if (merged !== INVALID) return merged
    const text = 'Intersection results could not be merged'
    return report(issues, value, { code: 'invalid_intersection_types' }, text, params)
  }
}

/** Merges objects by key and arrays by item; other values must be equal. */
const merge = (a: unknown, b: unknown): unknown => {
  if (a === b) return a
  const type = typeName(a)
  if (type !== typeName(b)) return INVALID
  if (type === 'date') return Number(a) === Number(b) ? a : INVALID
  const isList = type === 'array'
  if (isList ? (a as KeyedObject).length !== (b as KeyedObject).length : type !== 'object') return INVALID
  const out: KeyedObject = isList ? ([] as never) : {}
  for (const [key, value] of Object.entries({ ...(a as KeyedObject), ...(b as KeyedObject) })) {
    if (key === '__proto__') continue
    const inBoth = Object.hasOwn(a as KeyedObject, key) && Object.hasOwn(b as KeyedObject, key)
    const merged = inBoth ? merge((a as KeyedObject)[key], value) : value
    if (merged === INVALID) return INVALID
    out[key] = merged
  }
  return out
}

type KeyedObject = { [key: string]: unknown }
