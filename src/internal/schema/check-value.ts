import { type Awaitable, after } from '../awaitable.ts'
import { answerOf, refusal } from '../error/answer.ts'

/**
 * The result of any schema: that of Standard Schema or of `safeParse`. Our own error is also a result: it has `issues`,
 * and its own response.
 */
interface Result {
  readonly issues?: readonly Found[]
  readonly value?: unknown
  readonly data?: unknown
  readonly error?: { readonly issues?: readonly Found[]; readonly message: string }
}

interface Found {
  readonly message: string
  readonly code?: string
  readonly expected?: unknown
  readonly received?: unknown
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * The output of a schema; a promise if the schema is asynchronous.
 *
 * @throws the validation error, with `issues` and `format()`; becomes a 422.
 */
export const checkValue = (schema: any, value: unknown): Awaitable<unknown> => {
  const standard = schema['~standard']
  const found: Awaitable<Result> = standard ? standard.validate(value) : schema.safeParse(value)
  return after(found, (result) => {
    const error = result.error ?? (result.issues ? result : undefined)
    if (!error) return 'data' in result ? result.data : result.value
    throw answerOf(error) ? error : foreign(error.issues ?? [error as Found])
  })
}

/**
 * Whether {@link checkValue} can call it.
 *
 * @param schema any: any value of the caller
 */
export const isSchema = (schema: any): boolean =>
  typeof (schema?.['~standard']?.validate ?? schema?.safeParse) === 'function'

/** The issues of another library as an error like ours. */
const foreign = (found: readonly Found[]): Error => {
  const issues = found.map(({ message, code = 'custom', path = [], expected, received }) => ({
    code,
    path: path.map((key) => (typeof key === 'object' ? key.key : key)) as string[],
    message,
    expected,
    // Only with this code it is the name of a type; with others it is the value, which may be a password
    received: code === 'invalid_type' ? received : undefined,
  }))
  const format = (): object => {
    const root: any = { _errors: [] }
    for (const { path, message } of issues) {
      let at = root
      for (const key of path) {
        // Every level has a list of this name: a key cannot take its place
        if (key === '_errors') continue
        if (!Object.hasOwn(at, key)) Object.defineProperty(at, key, { value: { _errors: [] }, enumerable: true })
        at = at[key]
      }
      at._errors.push(message)
    }
    return root
  }
  const error = refusal(422, 'Validation failed', { issues: issues.slice(0, 100) })
  return Object.assign(error, { name: 'ValidationError', issues, format })
}
