export { type AnySchema, preprocess, Schema, Wrapper } from '../internal/z/schema.ts'
