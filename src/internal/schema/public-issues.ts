interface AnyIssue {
  readonly path: readonly unknown[]
  readonly message: string
  readonly code: string
  readonly expected?: unknown
  readonly received?: unknown
}

/** A body with a million wrong items must not cause a large response. */
const MAX_ISSUES = 100

/** Issues as a response shows them. The received value is left out, also of the message: it may be a password. */
export const publicIssues = (issues: readonly AnyIssue[]): object[] => issues.slice(0, MAX_ISSUES).map(toPublic)

const toPublic = ({ path, message, code, expected, received }: AnyIssue): object =>
  code === 'invalid_type'
    ? { path, message, code, expected, received }
    : { path, message: message.replaceAll(`'${textOf(received)}'`, "'…'"), code, expected }

/** Objects of a client may have no text: `{"toString":1}`, or ten thousand nested lists. */
const textOf = (received: unknown): string => {
  try {
    return String(received)
  } catch {
    return ''
  }
}
