export {
  type AnySchema,
  type Default,
  type Effect,
  type Nullable,
  type Optional,
  preprocess,
  Schema,
  type Wrapped,
  Wrapper,
} from '../internal/z/schema.ts'
