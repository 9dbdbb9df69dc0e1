import { errorResponseOf } from '../error/error-response.ts'
import { refusal } from '../error/refusal.ts'
import { type Awaitable, whenResolved } from '../promise/awaitable.ts'
import type { AnyCore } from '../z/definition.ts'
import { childLevel, emptyLevel } from './issue-tree.ts'

/** The result of Standard Schema or of `safeParse`. Our own error is one too: it has `issues`. */
interface Result {
  readonly issues?: readonly ForeignIssue[]
  readonly value?: unknown
  readonly data?: unknown
  readonly error?: { readonly issues?: readonly ForeignIssue[]; readonly message: string }
}

interface ForeignIssue {
  readonly message: string
  readonly code?: string
  readonly expected?: unknown
  readonly received?: unknown
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The output of a schema; a promise if the schema is asynchronous. @throws the validation error, a 422 */
// any: a schema of any library
export const checkValue = (schema: any, value: unknown): Awaitable<unknown> => {
  const standard = schema['~standard']
  return whenResolved<Result, unknown>(standard ? standard.validate(value) : schema.safeParse(value), outputOf)
}

/** The same, with the messages of an error map if the schema is one of `z`. */
// any: as above
export const checkValueIn = (schema: any, value: unknown, errorMap: object | undefined): Awaitable<unknown> =>
  errorMap && schema['~standard']?.vendor === 'sluice' && schema.safeParse
    ? whenResolved<Result, unknown>(schema.safeParse(value, { errorMap }), outputOf)
    : checkValue(schema, value)

const outputOf = (result: Result): unknown => {
  const error = result.error ?? (result.issues ? result : undefined)
  if (!error) return 'data' in result ? result.data : result.value
  throw errorResponseOf(error) ? error : foreign(error.issues ?? [error as ForeignIssue])
}

/** Whether it is a schema of `z`, whose definition can be read. */
export const isOurs = (schema: unknown): schema is AnyCore =>
  (schema as { '~standard'?: { vendor?: string } })['~standard']?.vendor === 'sluice'

/** Whether {@link checkValue} can call it. */
// any: any value of the caller
export const isSchema = (schema: any): boolean =>
  typeof (schema?.['~standard']?.validate ?? schema?.safeParse) === 'function'

/** The issues of another library as an error like ours. */
const foreign = (foreignIssues: readonly ForeignIssue[]): Error => {
  const issues = foreignIssues.map(({ message, code = 'custom', path = [], expected, received }) => ({
    code,
    path: path.map((key) => (typeof key === 'object' ? key.key : key)) as string[],
    message,
    expected,
    // With this code it is the name of a type; with others it is the value, which may be a password
    received: code === 'invalid_type' ? received : undefined,
  }))
  const format = (): object => {
    const root = emptyLevel()
    for (const { path, message } of issues) path.reduce(childLevel, root)._errors.push(message)
    return root
  }
  const error = refusal(422, 'Validation failed', { data: { issues: issues.slice(0, 100) } })
  return Object.assign(error, { name: 'ValidationError', issues, format })
}
