import type { Issue } from './validation-error.ts'

/** What {@link runSchema} can run: Standard Schema v1, or anything with `safeParse`. */
export interface RunnableSchema {
  readonly '~standard'?: { validate(value: unknown): unknown }
  safeParse?(value: unknown): unknown
}

/** The value that a schema gave out, or what it found. */
export type Outcome = { readonly value: unknown } | { readonly issues: Issue[] }

/** Every shape that a schema answers with: Standard Schema's and `safeParse`'s. */
interface Result {
  readonly success?: boolean
  readonly value?: unknown
  readonly data?: unknown
  readonly issues?: readonly Found[] | undefined
  readonly error?: { readonly issues?: readonly Found[] }
}

/** One finding as its library reports it. */
interface Found {
  readonly code?: string
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  readonly unionErrors?: unknown
}

/**
 * Run any schema on a value. Gives a promise only where the schema does.
 *
 * Standard Schema goes first, because it may be asynchronous where `safeParse` would throw.
 *
 * @example
 * const outcome = await runSchema(z.object({ name: z.string() }), body)
 * if ('issues' in outcome) throw new ValidationError(outcome.issues)
 */
export const runSchema = (schema: RunnableSchema, value: unknown): Outcome | Promise<Outcome> => {
  const standard = schema['~standard']
  const result = standard ? standard.validate(value) : schema.safeParse!(value)
  return isPromise(result) ? result.then(toOutcome) : toOutcome(result as Result)
}

/** Is this something that {@link runSchema} can run? */
export const isSchema = (value: unknown): value is RunnableSchema => {
  const schema = value as RunnableSchema | null | undefined
  return typeof schema?.['~standard']?.validate === 'function' || typeof schema?.safeParse === 'function'
}

const isPromise = (result: unknown): result is Promise<Result> =>
  typeof (result as Promise<Result>)?.then === 'function'

const toOutcome = (result: Result): Outcome => {
  const issues = result.issues ?? result.error?.issues
  if (issues) return { issues: issues.map(toIssue) }
  if (result.success === false) return { issues: [{ code: 'custom', path: [], message: 'Invalid input' }] }
  return { value: 'data' in result ? result.data : result.value }
}

/** Every library has a message; the path may hold segments, the code may be missing. */
const toIssue = (found: Found): Issue =>
  ({ ...found, code: codeOf(found), path: found.path ? found.path.map(keyOf) : [] }) as Issue

/** A union of another library lacks the `unionErrors` that `format` would look into. */
const codeOf = ({ code, unionErrors }: Found): string =>
  code && (code !== 'invalid_union' || unionErrors) ? code : 'custom'

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === 'object' ? segment.key : segment
  return typeof key === 'symbol' ? String(key) : key
}
