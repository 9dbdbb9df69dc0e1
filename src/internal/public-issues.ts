/** What every issue has, of ours and of other libraries. */
interface Found {
  readonly path: readonly unknown[]
  readonly message: string
  readonly code: string
}

/** How many issues leave in a response: a body of a million wrong items must not become a larger answer. */
const MAX_ANSWERED = 100

/**
 * Issues as a response shows them: at most 100, with `path`, `message`, `code`, `expected` and the *type* received.
 * The value received stays here, and out of the message, for it may be a password.
 */
export const publicIssues = (issues: readonly Found[]): object[] => issues.slice(0, MAX_ANSWERED).map(toPublic)

/** What is `undefined` does not appear in JSON. */
const toPublic = (issue: Found): object => {
  const { path, message, code, expected, received } = issue as Found & { expected?: unknown; received?: unknown }
  const isType = code === 'invalid_type'
  return {
    path,
    message: isType ? message : message.replaceAll(`'${String(received)}'`, "'…'"),
    code,
    expected,
    received: isType ? received : undefined,
  }
}
