import type { Issue } from './validation-error.ts'

/** How many issues leave in an answer: a body of a million wrong items must not become a larger answer. */
const MAX_ANSWERED = 100

/**
 * Issues as an answer shows them: at most 100, with `path`, `message`, `code`, `expected` and the *type* received.
 * The value received stays here, for it may be a password.
 */
export const publicIssues = (issues: readonly Issue[]): object[] => issues.slice(0, MAX_ANSWERED).map(toPublic)

/** What is `undefined` does not appear in JSON. */
const toPublic = (issue: Issue): object => {
  const { path, message, code, expected, received } = issue as Issue & { expected?: unknown; received?: unknown }
  return { path, message, code, expected, received: code === 'invalid_type' ? received : undefined }
}
