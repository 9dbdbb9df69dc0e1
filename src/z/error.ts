export { ValidationError, ValidationError as ZodError } from '../internal/validation-error.ts'
