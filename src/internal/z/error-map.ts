import { type ErrorMap, type ErrorParams, type Issue, messageOf, type ParseOptions } from './issue.ts'
import { type ErrorMapHooks, paramsText, setErrorMaps } from './report.ts'

interface Note {
  readonly data: unknown
  readonly text: string
  readonly params: ErrorParams | undefined
}

const noteByIssue: WeakMap<Issue, Note> = /* @__PURE__ */ new WeakMap()

let globalMap: ErrorMap | undefined

/** Let maps rewrite the messages of issues from now on. */
export const useMaps = (): void => setErrorMaps(hooks)

/** Set the map for the messages of every schema; `undefined` returns to the built-in messages. */
export const setGlobalMap = (map?: ErrorMap): void => {
  globalMap = map
  useMaps()
}

export const getGlobalMap = (): ErrorMap | undefined => globalMap

/** Write the messages by the maps when paths are complete: the global map, the schema's, and the caller's. */
export const applyErrorMaps = (issues: Issue[], options?: ParseOptions): Issue[] => {
  for (const issue of issues) {
    if ('unionErrors' in issue) for (const error of issue.unionErrors) applyErrorMaps(error.issues, options)
    const note = noteByIssue.get(issue)
    if (!note) issue.message = textFrom(issue.message, issue) ?? 'Invalid input'
    else {
      const { data, params } = note
      issue.message = note.text
      for (const map of [globalMap, params && mapOf(params), options?.errorMap])
        if (map) issue.message = map(issue, { data, defaultError: issue.message }).message
    }
  }
  return issues
}

const hooks: ErrorMapHooks = {
  add: (issue, data, text, params) => noteByIssue.set(issue, { data, text, params }),
  copy: (from, to) => {
    const note = noteByIssue.get(from)
    if (note) noteByIssue.set(to, note)
  },
  apply: applyErrorMaps,
}

/** TypeScript refuses a function as `error`, JavaScript does not: it is called for the text, as in zod 4. */
const textFrom = (text: unknown, issue: Issue, input?: unknown): string | undefined =>
  (typeof text === 'function' ? messageOf(text({ ...issue, input })) : text) as never

/** The message of a schema's parameters for an issue: from `errorMap`, else the text for a missing or a wrong value. */
const mapOf =
  (params: ErrorParams): ErrorMap =>
  (issue, context) =>
    params.errorMap?.(issue, context) ?? {
      message: textFrom(paramsText(params, issue.code, context.data), issue, context.data) ?? context.defaultError,
    }
