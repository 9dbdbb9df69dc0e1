import { NullRecord } from '../object/null-record.ts'

/** A definition of `z`, or of zod 4, which has other names for the same parts. */
interface SchemaDef {
  readonly type: string
  readonly [part: string]: any // any: each type has its own members
}

interface SchemaWithDef {
  readonly def?: SchemaDef
}

/**
 * The fields of a query or form for a schema. Where it has a list, one value becomes a list, since these formats cannot
 * distinguish the two. A `preprocess` gets the value as it was sent.
 */
export const withLists = (schema: unknown, fields: Readonly<Record<string, unknown>>): object => {
  const copy: Record<string, unknown> = Object.assign(new NullRecord(), fields)
  for (const key in copy)
    if (!Array.isArray(copy[key]) && fieldsOf(schema as SchemaWithDef, key).some(isList)) copy[key] = [copy[key]]
  return copy
}

/** The schemas that an object has for a key: several, for a union of objects. */
const fieldsOf = ({ def }: SchemaWithDef, key: string): readonly (SchemaWithDef | undefined)[] => {
  if (def?.shape) return [Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall]
  if (def?.type === 'record') return [def.valueType ?? def.inner]
  return childrenOf(def).flatMap((child) => fieldsOf(child, key))
}

/** Whether a schema accepts lists alone. */
const isList = (schema: SchemaWithDef | undefined): boolean => {
  if (/^(array|tuple)$/.test(schema?.def?.type ?? '')) return true
  const children = childrenOf(schema?.def).filter(({ def }) => !/^(undefined|null|void)$/.test(def?.type ?? ''))
  return children.length > 0 && children.every(isList)
}

/** The schemas to which this one passes its value. */
const childrenOf = (def: SchemaDef | undefined): readonly SchemaWithDef[] => {
  if (!def || /^(preprocess|array|tuple|set|map|promise|record)$/.test(def.type)) return []
  const { options, left, right, getter, inner = def.innerType ?? def.in } = def
  return options ?? [left, right, getter?.(), inner].filter((child) => child !== undefined)
}
