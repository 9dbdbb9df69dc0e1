import type { JsonSchema } from '../z/json-schema-types.ts'

/** The part of Standard JSON Schema that is used here (https://standardschema.dev/json-schema). */
interface Standard {
  readonly jsonSchema?: { input(options: { target: string }): JsonSchema }
}

/**
 * The JSON Schema of another library's schema. Its definitions move to the components, because a reference starts at
 * the root of the document. `define` adds one under a free name, and returns the reference.
 */
export const foreignSchema = (
  schema: unknown,
  components: { [name: string]: JsonSchema },
  define: (name: string, schema: JsonSchema) => JsonSchema,
  unrepresentable: 'throw' | 'any',
): JsonSchema => {
  const { jsonSchema } = (schema as { '~standard'?: Standard })['~standard'] ?? {}
  if (!jsonSchema) {
    if (unrepresentable === 'any') return {}
    throw new TypeError('expected a schema of z, or one with ~standard.jsonSchema')
  }
  const { $schema, $id, $defs, ...root } = jsonSchema.input({ target: 'draft-2020-12' })
  const holdsItself = JSON.stringify({ root, $defs }).includes('"$ref":"#"')
  const all = Object.entries({ ...($defs as object), ...(holdsItself && { '': root }) }) as [string, JsonSchema][]
  // Assign names first, because definitions refer to each other
  const paths = new Map(all.map(([name, value]) => [name ? `#/$defs/${name}` : '#', define(name || 'Schema', value)]))
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, member]) => [key, rewrite(member)])
    return Object.assign(Object.fromEntries(entries), paths.get((value as { $ref?: string }).$ref ?? ''))
  }
  for (const { $ref } of paths.values()) {
    const name = String($ref).slice(String($ref).lastIndexOf('/') + 1)
    components[name] = rewrite(components[name]) as JsonSchema
  }
  return paths.get('#') ?? (rewrite(root) as JsonSchema)
}
