import type { Meta } from './definition.ts'
import type { Context, JsonSchema } from './json-schema-types.ts'

/** The keywords of JSON Schema that `meta` may set or replace. */
const KEYWORDS =
  /^(x-.*|title|description|examples|deprecated|readOnly|writeOnly|default|type|format|pattern|enum|const|not|(all|any|one)Of|\$(comment|ref)|content\w+|(exclusive)?(Min|Max|min|max)imum|multipleOf|(min|max)(Length|Items|Properties)|uniqueItems|items|properties|required|additionalProperties)$/

/** The keywords that OpenAPI adds. */
const OPENAPI = /^(example|externalDocs|xml|discriminator|nullable)$/

/**
 * The fields of `meta` that readers of JSON Schema know: they may refuse others, and `id` means something else there.
 */
export const keywordsOf = (meta: Meta | undefined, { target, document }: Context): JsonSchema => {
  const isOpenapi = target === 'openapi-3.0' || document !== undefined
  return Object.fromEntries(
    Object.entries(meta ?? {}).filter(([name]) => KEYWORDS.test(name) || (isOpenapi && OPENAPI.test(name))),
  )
}
