import type { AnyCore } from './definition.ts'

/** A JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A dialect of JSON Schema. */
export type Target = 'draft-2020-12' | 'draft-7' | 'openapi-3.0'

/** Words of a schema that its definition has no room for; `into` describes the schemas in them. */
export type Says = (into: (child: AnyCore) => JsonSchema, target: Target) => JsonSchema
