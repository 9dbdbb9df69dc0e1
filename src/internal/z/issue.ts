import type { Issue, PathKey } from '../../errors/validation-error.ts'

export type { Flattened, Formatted, Issue, PathKey } from '../../errors/validation-error.ts'

/** The second argument of an {@link ErrorMap}. */
export interface ErrorMapContext {
  /** The value that was parsed. */
  readonly data: unknown
  /** The message without this map. */
  readonly defaultError: string
}

/**
 * Writes the message of an issue that has none of its own.
 *
 * @example
 * const german: ErrorMap = ({ code }, { defaultError }) =>
 *   ({ message: code === 'invalid_type' ? 'Falscher Typ' : defaultError })
 */
export type ErrorMap = (issue: Issue, context: ErrorMapContext) => { message: string }

/** An error map of `createLocale`. A parse of `sluice/z` takes only these, one of `sluice/zod3` any map. */
export interface Locale extends ErrorMap {
  readonly '~locale': true
}

/** Options of a parse of `sluice/z`. */
export interface LocaleOptions {
  /** Writes the messages of this parse that the schema does not write itself. */
  readonly errorMap?: Locale | undefined
}

/** Messages of a schema. */
export interface Params {
  /** Message when the value is missing. @default 'Required' */
  readonly required_error?: string | undefined
  /** Message when the value has another type. @default 'Expected …, received …' */
  readonly invalid_type_error?: string | undefined
  /** Message for both. */
  readonly message?: string | undefined
  /** The same under its name in zod 4; also for a wrong literal, and if no option of a union fits. */
  readonly error?: string | undefined
  /** A description of the schema; `schema.description`. */
  readonly description?: string | undefined
}

/** Messages of a schema of `sluice/z`. */
export interface ErrorParams extends Params {
  /** Writes every message of this schema; not together with the other messages. */
  readonly errorMap?: ErrorMap | undefined
}

/** The message of a check, or an object with it; zod 4 calls it `error`. */
export type Message = string | { readonly message?: string | undefined; readonly error?: string | undefined }

export const messageOf = (message: Message | undefined): string | undefined =>
  typeof message === 'object' ? (message.message ?? message.error) : message

/** Options of one parse. */
export interface ParseOptions {
  /** Writes the messages of this parse. It is called last. */
  readonly errorMap?: ErrorMap | undefined
}

type Distribute<T> = T extends Issue ? Omit<T, 'path' | 'message'> : never

/** An issue without its place and its message. `path` is relative to the reporting schema. */
export type IssueData = Distribute<Issue> & { path?: PathKey[]; message?: string | undefined }

/** An issue in the form that zod 4 pushes. `check` keeps no input, and reads `continue: false` as `fatal`. */
export type PushedIssue = IssueData & { readonly input?: unknown; readonly continue?: boolean }

/** The context that `superRefine`, `transform` and `preprocess` pass to the function. */
export interface RefinementContext {
  /** Report an issue; with `fatal: true` no later check of this value runs. */
  readonly addIssue: (issue: IssueData) => void
  /** The issues that this function reported; to push one is to report it. */
  readonly issues: PushedIssue[]
}
