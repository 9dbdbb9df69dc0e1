import type { ApiDocument } from './document.ts'

/** How a schema becomes code. */
export interface SchemaContext {
  readonly source: ApiDocument
  /** Where the schema stands, for notes. */
  readonly where: string
  /** Values arrive as texts: in a path, a query, a header or a form. */
  readonly asText: boolean
  /** The value is a field of a form. */
  readonly isField?: boolean
  /** The code for a reference to a named schema. */
  readonly refer: (name: string) => string
  /** References that are being written out in place. */
  readonly within?: readonly string[]
}
