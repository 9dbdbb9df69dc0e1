export { ValidationError } from '../internal/validation-error.ts'
export { ZodError } from '../internal/z/zod-error.ts'
