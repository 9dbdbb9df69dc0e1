import type { ErrorResponse } from '../internal/error/error-response.ts'
import { childLevel, emptyLevel } from '../internal/schema/issue-tree.ts'
import { publicIssues } from '../internal/schema/public-issues.ts'

/** A property name, or the index of an array, tuple, map or set. */
export type PathKey = string | number

interface IssueBase<Code extends string> {
  code: Code
  /** Keys that lead from the input to the value, outermost first. */
  path: PathKey[]
  message: string
  /** Whether later checks of this value are skipped; `ctx.addIssue` can set it. */
  fatal?: boolean
}

export type SizedKind = 'string' | 'number' | 'bigint' | 'date' | 'array' | 'set'

/** The value, its length or its size is out of bounds. */
export type SizeIssue =
  | (IssueBase<'too_small'> & { minimum: number | bigint; inclusive: boolean; exact?: boolean; type: SizedKind })
  | (IssueBase<'too_big'> & { maximum: number | bigint; inclusive: boolean; exact?: boolean; type: SizedKind })

/** One issue of a validation. */
export type Issue =
  | (IssueBase<'invalid_type'> & { expected: string; received: string })
  | (IssueBase<'invalid_literal'> & { expected: unknown; received: unknown })
  | (IssueBase<'invalid_enum_value'> & { options: (string | number)[]; received: string | number })
  | (IssueBase<'invalid_string'> & {
      validation: string | { includes: string; position?: number } | { startsWith: string } | { endsWith: string }
    })
  | (IssueBase<'unrecognized_keys'> & { keys: string[] })
  | (IssueBase<'invalid_union'> & { unionErrors: ValidationError[] })
  | (IssueBase<'invalid_union_discriminator'> & { options: unknown[] })
  | (IssueBase<'invalid_arguments'> & { argumentsError: ValidationError })
  | (IssueBase<'invalid_return_type'> & { returnTypeError: ValidationError })
  | (IssueBase<'not_multiple_of'> & { multipleOf: number | bigint })
  | (IssueBase<'custom'> & { params?: { [key: string]: unknown } })
  | IssueBase<'invalid_intersection_types'>
  | IssueBase<'invalid_date'>
  | IssueBase<'not_finite'>
  | SizeIssue

/** The result of {@link ValidationError.format}: the messages at each level. */
export type Formatted<T, Text = string> = { _errors: Text[] } & (NonNullable<T> extends readonly unknown[]
  ? { [index: number]: Formatted<NonNullable<T>[number], Text> }
  : NonNullable<T> extends object
    ? { [Key in keyof NonNullable<T>]?: Formatted<NonNullable<T>[Key], Text> }
    : unknown)

/** The result of {@link ValidationError.flatten}. */
export interface Flattened<out T, out Text = string> {
  formErrors: Text[]
  fieldErrors: { [Key in T extends unknown ? keyof T : never]?: Text[] }
}

/**
 * Thrown if a value does not match a schema; contains all issues.
 *
 * @example
 * const error = new ValidationError([{ code: 'custom', path: ['age'], message: 'Too young' }])
 * error.format() // { _errors: [], age: { _errors: ['Too young'] } }
 */
export class ValidationError<out T = unknown> extends Error {
  /** All issues, in the order in which the schema found them. */
  declare readonly issues: Issue[]

  constructor(issues: Issue[]) {
    super()
    this.issues = issues
  }

  override get name(): string {
    return 'ValidationError'
  }

  /** The issues as JSON. */
  override get message(): string {
    return JSON.stringify(this.issues, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2)
  }

  /** The status of the response. */
  get status(): number {
    return 422
  }

  /** The response, with the public part of the issues. */
  get '~response'(): ErrorResponse {
    return { status: this.status, body: { error: 'Validation failed', issues: publicIssues(this.issues) } }
  }

  /** The messages as a tree with the shape of the input. */
  format(): Formatted<T>
  format<Text>(mapper: (issue: Issue) => Text): Formatted<T, Text>
  format(mapper: (issue: Issue) => unknown = textOf): unknown {
    const root = emptyLevel()
    const addIssues = ({ issues }: { readonly issues: readonly Issue[] }): void => {
      for (const issue of issues)
        if ('unionErrors' in issue) issue.unionErrors.forEach(addIssues)
        else issue.path.reduce(childLevel, root)._errors.push(mapper(issue))
    }
    addIssues(this)
    return root
  }

  /** The messages in two groups: for the whole value, and by the first key of their path. */
  flatten(): Flattened<T>
  flatten<Text>(mapper: (issue: Issue) => Text): Flattened<T, Text>
  flatten(mapper: (issue: Issue) => unknown = textOf): unknown {
    const formErrors: unknown[] = []
    const fieldErrors: { [key: PathKey]: unknown[] } = { __proto__: null as never }
    for (const issue of this.issues) {
      const [key] = issue.path
      if (key !== undefined) fieldErrors[key] ??= []
      const list = key === undefined ? formErrors : fieldErrors[key]!
      list.push(mapper(issue))
    }
    return { formErrors, fieldErrors }
  }
}

const textOf = (issue: Issue): string => issue.message
