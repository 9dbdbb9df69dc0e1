/** What every issue has, of ours and of other libraries. */
interface Found {
  readonly path: readonly unknown[]
  readonly message: string
  readonly code: string
}

/** How many issues leave in an answer: a body of a million wrong items must not become a larger answer. */
const MAX_ANSWERED = 100

/**
 * Issues as an answer shows them: at most 100, with `path`, `message`, `code`, `expected` and the *type* received.
 * The value received stays here, and out of the message, for it may be a password.
 */
export const publicIssues = (issues: readonly Found[]): object[] => issues.slice(0, MAX_ANSWERED).map(toPublic)

/** What is `undefined` does not appear in JSON. */
const toPublic = (issue: Found): object => {
  const { path, message, code, expected, received } = issue as Found & { expected?: unknown; received?: unknown }
  const isType = code === 'invalid_type'
  return {
    path,
    message: isType ? message : message.replaceAll(`'${textOf(received)}'`, "'…'"),
    code,
    expected,
    received: isType ? received : undefined,
  }
}

/** What a message quotes. Objects of a client need not have a text: `{"toString":1}`, or a list in ten thousand lists. */
const textOf = (received: unknown): string => {
  try {
    return String(received)
  } catch {
    return ''
  }
}
