import type { Definition, DefinitionParts } from './definition.ts'

/** Kinds whose name in zod 3 is not the kind with a capital letter. */
const NAMES: { readonly [type: string]: string } = {
  bigint: 'BigInt',
  nan: 'NaN',
  pipe: 'Pipeline',
  brand: 'Branded',
  refine: 'Effects',
  transform: 'Effects',
  preprocess: 'Effects',
}

export const zodName = (def: Definition & { readonly enum?: unknown }): string => {
  const name = def.enum ? 'NativeEnum' : (NAMES[def.type] ?? `${def.type[0]!.toUpperCase()}${def.type.slice(1)}`)
  return `Zod${name}`
}

/** A definition under the names that zod 3 has for its parts. */
export const zodDefinition = (def: DefinitionParts): object => ({
  ...def,
  typeName: zodName(def),
  innerType: def.inner,
  type: def.inner,
  schema: def.inner,
  in: def.inner,
  out: def.target,
  keyType: def.key,
  valueType: def.inner,
  ...(def.shape && { shape: () => def.shape }),
})
