import type { Issue } from '../../errors/validation-error.ts'
import { type Awaitable, whenResolved } from '../promise/awaitable.ts'
import type { Contract } from '../route/contract.ts'
import { checkValue, isOurs } from '../schema/check-value.ts'
import { publicIssues } from '../schema/public-issues.ts'
import type { AnyCore, DefinitionParts, Run } from '../z/definition.ts'
import { INVALID, wrongType } from '../z/report.ts'
import { toDescribed } from './responses.ts'

/** Responses are compared in development and in tests only. */
export const isChecking = (nodeEnv = ''): boolean => /^(development|test)$/.test(nodeEnv)

/** The responses that the steps of a route describe; `undefined` if they describe none. */
export const describedBy = (steps: NonNullable<Contract['parts']>): DescriptionsByStatus | undefined => {
  const operations = steps.map(({ describes }) => describes?.operation as { responses?: object } | undefined)
  const all = operations.flatMap((operation) => operation?.responses ?? [])
  return all.length ? Object.assign({}, ...all) : undefined
}

type DescriptionsByStatus = Readonly<Record<string, unknown>>

type RequestLine = Readonly<Record<'method' | 'path', string>>

export const toLine = ({ method, path }: RequestLine, status: number, problems: readonly string[]): string =>
  `${method} ${path}: ${status} is not as described: ${problems.join('; ')}`

/** Pass a line with the differences to `report`, without the values that were sent. */
export const compareResponse = (
  responses: DescriptionsByStatus,
  response: Response,
  request: RequestLine,
  report: (line: string) => void = console.warn,
): Awaitable<void> =>
  whenResolved(problemsOf(responses, response), (problems) => {
    if (problems.length) report(toLine(request, response.status, problems))
  })

const problemsOf = (responses: DescriptionsByStatus, response: Response): Awaitable<readonly string[]> => {
  const { status } = response
  const described = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default
  // A refusal may come from a middleware, which describes it itself; a 304 refers to the response that the client has
  if (described === undefined)
    return status < 400 && status !== 304 && Object.keys(responses).length ? ['it is not described'] : []
  const { schema, contentType = 'application/json' } = toDescribed(described)
  if (!schema || !isJson(contentType)) return []
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (!isJson(type.trim())) return [`expected JSON, got ${type || 'no content type'}`]
  return problemsOfJson(schema, response)
}

const problemsOfJson = async (schema: unknown, response: Response): Promise<readonly string[]> => {
  try {
    const data = await response.clone().json()
    const issues: Issue[] = []
    if (!isOurs(schema)) await checkValue(schema, data)
    else if (outputRun(schema)(data, issues) === INVALID || issues.length) throw { issues }
    return []
  } catch (error) {
    const { issues } = error as { issues?: Parameters<typeof publicIssues>[0] }
    if (!issues) return [(error as Error).message]
    const shown = publicIssues(issues) as { path: unknown[]; message: string }[]
    return shown.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  }
}

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

/** A run for the output of a schema of `z`, as JSON: it converts no text, number or boolean. */
const outputRun = ({ def, make }: AnyCore): Run => {
  const { type, inner, target } = def as DefinitionParts
  // It may return anything
  if (type === 'transform') return (value) => value
  if (/^(default|catch|preprocess)$/.test(type)) return outputRun(inner!)
  if (type === 'pipe') return outputRun(target!)
  if (type === 'stringbool')
    return (value, issues) => (typeof value === 'boolean' ? value : wrongType(issues, value, 'boolean'))
  const isPrimitive = /^(string|number|boolean)$/.test(type)
  return make(isPrimitive ? { ...def, coerce: undefined } : def, outputRun as never, (fn) => fn)
}
