import type { Answer } from './error/answer.ts'
import { publicIssues } from './public-issues.ts'

/** One step of a path: a property name, or the index of an array, tuple, map or set. */
export type PathKey = string | number

interface At<Code extends string> {
  code: Code
  /** Keys that lead from the input to the value, outermost first. */
  path: PathKey[]
  message: string
  /** On issues made by `ctx.addIssue`: nothing that follows on this value runs. */
  fatal?: boolean
}

/** What {@link SizeIssue.type} can say was too small or too big. */
export type Sized = 'string' | 'number' | 'bigint' | 'date' | 'array' | 'set'

/** The value, its length or its size lies outside of a bound. */
export type SizeIssue =
  | (At<'too_small'> & { minimum: number | bigint; inclusive: boolean; exact?: boolean; type: Sized })
  | (At<'too_big'> & { maximum: number | bigint; inclusive: boolean; exact?: boolean; type: Sized })

/** One finding of a validation, told apart by `code`. */
export type Issue =
  | (At<'invalid_type'> & { expected: string; received: string })
  | (At<'invalid_literal'> & { expected: unknown; received: unknown })
  | (At<'invalid_enum_value'> & { options: (string | number)[]; received: string | number })
  | (At<'invalid_string'> & {
      validation: string | { includes: string; position?: number } | { startsWith: string } | { endsWith: string }
    })
  | (At<'unrecognized_keys'> & { keys: string[] })
  | (At<'invalid_union'> & { unionErrors: ValidationError[] })
  | (At<'invalid_union_discriminator'> & { options: unknown[] })
  | (At<'invalid_arguments'> & { argumentsError: ValidationError })
  | (At<'invalid_return_type'> & { returnTypeError: ValidationError })
  | (At<'not_multiple_of'> & { multipleOf: number | bigint })
  | (At<'custom'> & { params?: { [key: string]: unknown } })
  | At<'invalid_intersection_types' | 'invalid_date' | 'not_finite'>
  | SizeIssue

/** What {@link ValidationError.format} returns: messages at each level, keys for what lies below. */
export type Formatted<T, Text = string> = { _errors: Text[] } & (NonNullable<T> extends readonly unknown[]
  ? { [index: number]: Formatted<NonNullable<T>[number], Text> }
  : NonNullable<T> extends object
    ? { [Key in keyof NonNullable<T>]?: Formatted<NonNullable<T>[Key], Text> }
    : unknown)

/** What {@link ValidationError.flatten} returns: messages of the whole, and messages per first key. */
export interface Flattened<T, Text = string> {
  formErrors: Text[]
  fieldErrors: { [Key in T extends T ? keyof T : never]?: Text[] }
}

/**
 * Thrown when a value does not fit a schema; carries every issue that was found.
 *
 * @example
 * new ValidationError([{ code: 'custom', path: ['age'], message: 'Too young' }]).format() // { _errors: [], age: { _errors: ['Too young'] } }
 */
export class ValidationError<T = unknown> extends Error {
  /** Every finding, in the order in which the schema met them. */
  readonly issues: Issue[]

  constructor(issues: Issue[]) {
    super()
    this.issues = issues
  }

  override get name(): string {
    return 'ValidationError'
  }

  /** The issues as JSON; made when asked for. */
  override get message(): string {
    return JSON.stringify(this.issues, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2)
  }

  /** 422, with what a client may know of the issues. */
  get '~answer'(): Answer {
    return { status: 422, body: { error: 'Validation failed', issues: publicIssues(this.issues) } }
  }

  /** The messages as a tree that has the form of the input. */
  format(): Formatted<T>
  format<Text>(mapper: (issue: Issue) => Text): Formatted<T, Text>
  format(mapper: (issue: Issue) => unknown = textOf): unknown {
    const root: Tree = { _errors: [] as never }
    const place = (issue: Issue): void => {
      if (issue.code === 'invalid_union') {
        for (const error of issue.unionErrors) error.issues.forEach(place)
      } else issue.path.reduce(step, root)._errors.push(mapper(issue))
    }
    this.issues.forEach(place)
    return root
  }

  /** The messages in two lists: of the whole, and by the first key of their path. */
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

interface Tree {
  [key: PathKey]: Tree
  _errors: unknown[] & Tree
}

const textOf = (issue: Issue): string => issue.message

/** The child `key` of a level. Two names have no place of their own, their messages stay with the level: `_errors` and `__proto__`. */
const step = (level: Tree, key: PathKey): Tree => {
  if (key === '_errors' || key === '__proto__') return level
  if (!Object.hasOwn(level, key)) level[key] = { _errors: [] as never }
  return level[key]!
}

/**
 * A {@link ValidationError} that did not collect a stack, for callers who look at its issues and throw nothing: a sixth of the time.
 *
 * @example
 * withoutStack([{ code: 'custom', path: [], message: 'No' }]).issues.length // 1
 */
export const withoutStack = <T>(
  issues: Issue[],
  Type: typeof ValidationError = ValidationError,
): ValidationError<T> => {
  const limit = Error.stackTraceLimit
  // Reflect.set, because an assignment throws where the intrinsics are frozen.
  Reflect.set(Error, 'stackTraceLimit', 0)
  const error = new Type<T>(issues)
  Reflect.set(Error, 'stackTraceLimit', limit)
  return error
}
