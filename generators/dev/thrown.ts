/** What was thrown, as text: reading an error may run code, which may throw. */
export interface Thrown {
  /** False for a value that is not an error, which has no stack. */
  readonly isError: boolean
  readonly name: string
  readonly message: string
  readonly stack: string
  /** The errors behind it, the nearest first, as `name: message`. */
  readonly causes: readonly string[]
}

/** Maximum length of a text that is shown, in characters. */
const MAX_TEXT_LENGTH = 10_000

/** Maximum length of the text of a cause, in characters, and maximum number of causes. */
const MAX_CAUSE_LENGTH = 1000
const MAX_CAUSES = 10

/** Read what was thrown. Never throws. */
export const readThrown = (thrown: unknown): Thrown => {
  try {
    return read(thrown)
  } catch {
    return { isError: false, name: 'Error', message: '(cannot be read)', stack: '', causes: [] }
  }
}

const read = (thrown: unknown): Thrown => {
  if (!(thrown instanceof Error))
    return { isError: false, name: 'Error', message: `Thrown: ${String(thrown)}`, stack: '', causes: [] }
  const { stack } = thrown
  const title = { name: String(thrown.name), message: String(thrown.message) }
  return { isError: true, ...title, stack: typeof stack === 'string' ? stack : title.message, causes: causesOf(thrown) }
}

/** `name: message`, or the name alone. */
export const titleOf = ({ name, message }: Pick<Thrown, 'name' | 'message'>): string =>
  message === '' ? name : `${name}: ${shorten(message)}`

/** A text that is short enough to be shown. */
export const shorten = (text: string, max: number = MAX_TEXT_LENGTH): string =>
  text.length > max ? `${text.slice(0, max)}…` : text

/** The stack, with a short message above its frames. */
export const shortStack = ({ stack, message }: Pick<Thrown, 'stack' | 'message'>): string => {
  const begin = stack.indexOf(message)
  const end = begin === -1 ? 0 : begin + message.length
  return shorten(stack.slice(0, end)) + shorten(stack.slice(end))
}

/** Every cause, and every error of an `AggregateError`, which often has no message of its own; each once. */
const causesOf = (error: Error): string[] => {
  const errors = new Set<unknown>([error])
  for (const outer of errors)
    if (outer instanceof Error) for (const inner of behind(outer)) if (errors.size <= MAX_CAUSES) errors.add(inner)
  return [...errors]
    .slice(1)
    .map((cause) => shorten(cause instanceof Error ? titleOf(cause) : String(cause), MAX_CAUSE_LENGTH))
}

const behind = ({ cause, errors }: Error & { cause?: unknown; errors?: unknown }): readonly unknown[] => [
  ...(cause == null ? [] : [cause]),
  ...(Array.isArray(errors) ? errors : []),
]
