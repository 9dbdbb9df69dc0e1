import type { JsonSchema } from '../z/json-schema-types.ts'

export type { JsonSchema }

/** The content of a message, by media type. */
export interface Content {
  [mediaType: string]: { schema?: JsonSchema; [member: string]: unknown }
}

/** A parameter of an operation. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema?: JsonSchema
  [member: string]: unknown
}

/** A response of an operation. */
export interface ResponseObject {
  description: string
  content?: Content
  [member: string]: unknown
}

/** One method of one path. */
export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  security?: Readonly<Record<string, readonly string[]>>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content; [member: string]: unknown }
  responses: Record<string, ResponseObject>
  [member: string]: unknown
}

/** An OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; [member: string]: unknown }
  servers?: object[]
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, JsonSchema>; securitySchemes?: Record<string, object> }
  security?: object[]
  tags?: object[]
  [member: string]: unknown
}
