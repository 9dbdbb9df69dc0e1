import { block } from './code.ts'
import { isPart, type Part, partOf } from './document.ts'
import type { SchemaContext } from './schema-context.ts'

/** The code of a list, or of a tuple. `into` gives the code of an item. */
export const arrayCode = (
  schema: Part,
  { asText, source, where }: SchemaContext,
  into: (inner: unknown) => string,
): string => {
  const { prefixItems, items, minItems, maxItems } = schema
  if (Array.isArray(prefixItems)) {
    const note = (what: string): void => void source.notes.push({ where, what })
    const min = Number(minItems ?? 0)
    if (min < prefixItems.length) note('every item of "prefixItems" is required, although the list may be shorter')
    if (min > prefixItems.length || maxItems !== undefined) note('"minItems" and "maxItems" of a tuple are not checked')
    const rest = items === false ? '' : `.rest(${into(items ?? {})})`
    return `${block('z.tuple([', prefixItems.map(into), '])')}${rest}`
  }
  const limits =
    (Number.isInteger(minItems) ? `.min(${minItems})` : '') + (Number.isInteger(maxItems) ? `.max(${maxItems})` : '')
  const { default: _, ...each } = partOf(items)
  const item = into(asText && isPart(items) ? each : (items ?? {}))
  const list = `z.array(${item})${limits}`
  if (!asText) return list
  // One value of a repeated field arrives alone; an absent field is not a list of one
  const single = item.startsWith('z.unknown()') ? `${item}.refine((one) => one !== undefined, 'Required')` : item
  return `z.union([${list}, ${single}.transform((one) => [one])])`
}

/** Keywords that restrict a value by themselves. */
const ASKING = [
  ...['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['pattern', 'format', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]

/** True if a schema has keywords that restrict a value, beside `type` and its composition. */
export const saysMore = (schema: Part): boolean => ASKING.some((keyword) => keyword in schema)
