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
const LONGEST_TEXT = 10_000

/** Maximum length of the text of a cause, in characters, and maximum number of causes. */
const LONGEST_CAUSE = 1000
const MOST_CAUSES = 10

/** Replaces a text that cannot be read. */
const UNREADABLE = '(cannot be read)'

/** Read what was thrown. Never throws. */
export const readThrown = (thrown: unknown): Thrown => {
  if (!isError(thrown)) {
    const message = `Thrown: ${textOf(() => thrown, typeof thrown)}`
    return { isError: false, name: 'Error', message, stack: '', causes: [] }
  }
  const { name, message } = readTitle(thrown)
  const stack = readOr(() => (typeof thrown.stack === 'string' ? thrown.stack : message), message)
  return { isError: true, name, message, stack, causes: causesOf(thrown) }
}

/** `name: message`, or the name alone. */
export const titleOf = ({ name, message }: Pick<Thrown, 'name' | 'message'>): string =>
  message === '' ? name : `${name}: ${shorten(message)}`

/** A text that is short enough to be shown. */
export const shorten = (text: string, most: number = LONGEST_TEXT): string =>
  text.length > most ? `${text.slice(0, most)}…` : text

/** The stack, with a short message above its frames. */
export const shortStack = ({ stack, message }: Pick<Thrown, 'stack' | 'message'>): string => {
  const begin = stack.indexOf(message)
  const end = begin === -1 ? 0 : begin + message.length
  return shorten(stack.slice(0, end)) + shorten(stack.slice(end))
}

/** A revoked proxy throws even here. */
const isError = (thrown: unknown): thrown is Error => readOr(() => thrown instanceof Error, false)

const readOr = <T>(read: () => T, otherwise: T): T => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const textOf = (read: () => unknown, otherwise: string): string => readOr(() => String(read()), otherwise)

/** Every cause, and every error of an `AggregateError`, which often has no message of its own. */
const causesOf = (error: Error): string[] => {
  const seen = new Set<unknown>([error])
  const found: string[] = []
  const visit = (outer: Error): void => {
    for (const inner of behind(outer)) {
      if (found.length === MOST_CAUSES) return
      if (seen.has(inner)) continue
      seen.add(inner)
      found.push(shorten(isError(inner) ? titleOf(readTitle(inner)) : textOf(() => inner, typeof inner), LONGEST_CAUSE))
      if (isError(inner)) visit(inner)
    }
  }
  visit(error)
  return found
}

const readTitle = (error: Error): Pick<Thrown, 'name' | 'message'> => ({
  name: textOf(() => error.name, UNREADABLE),
  message: textOf(() => error.message, UNREADABLE),
})

const behind = (error: Error): readonly unknown[] => {
  const cause = readOr(() => error.cause, undefined)
  const errors: unknown = readOr(() => (error as Partial<AggregateError>).errors, undefined)
  return [...(cause == null ? [] : [cause]), ...(Array.isArray(errors) ? errors.slice(0, MOST_CAUSES + 1) : [])]
}
