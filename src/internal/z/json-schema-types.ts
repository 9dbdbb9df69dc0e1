import type { AnyCore } from './definition.ts'

/** A JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A dialect of JSON Schema. */
export type Target = 'draft-2020-12' | 'draft-7' | 'openapi-3.0'

/** Words of a schema that its definition has no room for; `into` describes the schemas in them. */
export type Says = (into: (child: AnyCore) => JsonSchema, target: Target) => JsonSchema

/** How a schema is described. */
export interface Context {
  readonly target: Target
  readonly io: 'input' | 'output'
  readonly unrepresentable: 'throw' | 'any'
  /** The document that holds the definitions of many schemas. @default each schema has its own */
  readonly document?: SchemaDocument
}

/** What the conversions of one document share. */
export interface SchemaDocument {
  /** Where definitions stand: `#/components/schemas/`. */
  readonly place: string
  readonly names: Map<unknown, string>
  readonly definitions: { [name: string]: JsonSchema }
  /** The name that a user gave, or a free one for a schema that holds itself. */
  nameOf(schema: AnyCore, needed?: boolean): string | undefined
  /** JSON Schema for what the conversion cannot know, or another schema to describe in its place. */
  insteadOf(schema: AnyCore): JsonSchema | Pick<AnyCore, 'def'> | undefined
}
