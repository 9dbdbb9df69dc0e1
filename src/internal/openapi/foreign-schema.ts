import type { JsonSchema } from '../z/json-schema-types.ts'

/** The part of Standard JSON Schema that is used here (https://standardschema.dev/json-schema). */
interface Standard {
  readonly jsonSchema?: { input(options: { target: string }): JsonSchema }
}

/**
 * The JSON Schema of another library's schema. Its definitions move to the document, because a reference inside a
 * document starts at its root.
 *
 * @param define adds a definition under a free name to the components, and returns a reference to it
 * @throws {TypeError} if the library does not provide one, unless `unrepresentable` is `any`
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
  const newPaths = new Map(
    all.map(([name, value]) => [name ? `#/$defs/${name}` : '#', define(name || 'Schema', value)]),
  )
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, member]) => [key, rewrite(member)])
    return Object.assign(Object.fromEntries(entries), newPaths.get((value as { $ref?: string }).$ref ?? ''))
  }
  for (const { $ref } of newPaths.values()) {
    const name = String($ref).slice(String($ref).lastIndexOf('/') + 1)
    components[name] = rewrite(components[name]) as JsonSchema
  }
  return newPaths.get('#') ?? (rewrite(root) as JsonSchema)
}
