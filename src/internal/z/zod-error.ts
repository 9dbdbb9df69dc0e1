import { type Flattened, type Issue, ValidationError } from '../../errors/validation-error.ts'

/**
 * The error of `sluice/z`: a {@link ValidationError} with the further members that the errors of zod 3 have.
 *
 * @example
 * const error = new ZodError([{ code: 'custom', path: ['age'], message: 'Too young' }])
 * error.formErrors.fieldErrors // { age: ['Too young'] }
 */
export class ZodError<out T = unknown> extends ValidationError<T> {
  /** Errors of schemas of `sluice/z` are instances too, though they lack the further members. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(ValidationError, value)
  }

  /** Make an error of issues. */
  static create<T = unknown>(issues: Issue[]): ZodError<T> {
    return new ZodError<T>(issues)
  }

  /** @throws if the value is not an error of a schema. */
  static assert(value: unknown): asserts value is ZodError {
    if (!(value instanceof ValidationError)) throw new Error(`Not a ZodError: ${value}`)
  }

  /** The issues. */
  get errors(): Issue[] {
    return this.issues
  }

  /** True if there are no issues. */
  get isEmpty(): boolean {
    return this.issues.length === 0
  }

  /** The result of `flatten()`. */
  get formErrors(): Flattened<T> {
    return this.flatten()
  }

  override toString(): string {
    return this.message
  }

  /** Add an issue. */
  addIssue(issue: Issue): void {
    this.issues.push(issue)
  }

  /** Add issues. */
  addIssues(issues: readonly Issue[] = []): void {
    this.issues.push(...issues)
  }
}
