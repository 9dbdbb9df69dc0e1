/** One variable that is missing or invalid. */
export interface EnvIssue {
  /** Name of the variable, with the path inside a structured one: `LIMITS.burst`. */
  readonly name: string
  /** The mistake, without the value. */
  readonly message: string
}

/** One or more variables are missing or invalid. Lists all of them, without values. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly issues: readonly EnvIssue[]

  constructor(issues: readonly EnvIssue[]) {
    super(['Invalid environment:', ...issues.map((issue) => `  ${issue.name}: ${issue.message}`)].join('\n'))
    this.issues = issues
  }
}

/** Minimum length of a part of a value that could be a secret by itself. */
const LEAST_PART = 4

/** A message that contains a value or a large part of it is withheld, because many people read startup logs. */
export const withoutValue = (message: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '') return message
  const text = message.toLowerCase()
  const parts = value.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const repeats =
    hasWord(text, value.toLowerCase()) || parts.some((part) => part.length >= LEAST_PART && text.includes(part))
  return repeats ? 'is invalid (the message of its schema repeats the value and is withheld)' : message
}

/** True if the word occurs on its own, not as part of another: `5` in `received 5`, not in `at most 50`. */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true
  }
  return false
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
