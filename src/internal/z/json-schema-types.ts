import type { AnyCore, Check, Definition } from './definition.ts'

/** A JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A dialect of JSON Schema. */
export type Target = 'draft-2020-12' | 'draft-7' | 'openapi-3.0'

/** Keywords that a definition cannot express; `into` describes the schemas in them. */
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
  /** What stands for schemas whose outputs are described by other words than their inputs. */
  readonly twins: Map<unknown, object>
  /** The name that a user gave, or a free one for a schema that holds itself; another one for its `twin`. */
  nameOf(schema: AnyCore, needed?: boolean, twin?: unknown): string | undefined
  /** JSON Schema for what the conversion cannot know, or another schema to describe in its place. */
  insteadOf(schema: AnyCore): JsonSchema | Pick<AnyCore, 'def'> | undefined
}

/** What is known on the way through a schema. */
export interface State extends Context {
  /** The names of schemas that hold themselves; of lazy ones by their function, which may make another each time. */
  readonly names: Map<unknown, string>
  /** The schemas that are being described, outermost first. A schema that is in this list contains itself. */
  readonly open: Set<unknown>
  readonly definitions: { [name: string]: JsonSchema }
  /** The keys on the way to what is being described. */
  readonly path: readonly string[]
  /** Inside an intersection, at every depth, each side must allow the keys of the other. */
  readonly shared: boolean
  /** What stands for schemas there, whose definitions are others than outside. */
  readonly twins: Map<unknown, object>
}

/** What a schema is made of, as far as it is described. */
export interface Parts extends Definition {
  readonly [part: string]: unknown
  readonly inner: AnyCore
  readonly checks: readonly Check[]
  readonly getter?: unknown
  /** Keywords that no other member expresses. */
  readonly says?: Says
}
