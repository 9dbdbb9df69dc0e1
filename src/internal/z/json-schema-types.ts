import type { AnyCore, DefinitionParts } from './definition.ts'
import type { UnknownKeys } from './object-types.ts'

/** A JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A dialect of JSON Schema. */
export type Target = 'draft-2020-12' | 'draft-7' | 'openapi-3.0'

/** Keywords that a definition cannot express; `into` describes the schemas in them. */
export type JsonSchemaWriter = (into: (child: AnyCore) => JsonSchema, target: Target) => JsonSchema

export interface Context {
  readonly target: Target
  readonly io: 'input' | 'output'
  readonly unrepresentable: 'throw' | 'any'
  /** The document that holds the definitions of many schemas. @default each schema has its own */
  readonly document?: SchemaDocument
}

/** What the conversions of one document share. */
export interface SchemaDocument {
  /** The path of definitions: `#/components/schemas/`. */
  readonly place: string
  /** Names by schema, or by the function of a lazy one, which may return another schema each time. */
  readonly names: Map<unknown, string>
  readonly definitions: { [name: string]: JsonSchema }
  /** Stand-ins for schemas with two definitions: of input and output, or inside and outside an intersection. */
  readonly twins: Map<unknown, object>
  /** The name of a schema: that of the user, or a free one if it contains itself. Its `twin` gets another name. */
  nameOf(schema: AnyCore, needed?: boolean, twin?: unknown): string | undefined
  /** JSON Schema for a schema that the conversion cannot read, or another schema to describe in its place. */
  insteadOf(schema: AnyCore): JsonSchema | Pick<AnyCore, 'def'> | undefined
}

/** The state of a walk through a schema. */
export interface State extends Context, Pick<SchemaDocument, 'names' | 'definitions' | 'twins'> {
  /** The schemas that are being described: one that is met again contains itself. */
  readonly open: Set<unknown>
  /** The keys that lead to the schema that is being described. */
  readonly path: readonly string[]
  /** Whether it is in an intersection, at any depth: each side must allow the keys of the other. */
  readonly shared: boolean
}

export interface DescribedDefinition extends DefinitionParts {
  readonly unknownKeys?: UnknownKeys
  /** The words of `stringbool`. */
  readonly words?: ReadonlyMap<string, boolean>
  readonly sensitive?: boolean
  readonly says?: JsonSchemaWriter
}
