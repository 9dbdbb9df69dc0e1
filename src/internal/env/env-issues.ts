/** One variable that is missing or wrong. */
export interface EnvIssue {
  /** Name of the variable, and of what lies inside it for a structured one: `LIMITS.burst`. */
  readonly name: string
  /** What is wrong, without the value. */
  readonly message: string
}

/** Several variables are missing or wrong. Lists all, and no value. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly issues: readonly EnvIssue[]

  constructor(issues: readonly EnvIssue[]) {
    super(['Invalid environment:', ...issues.map((issue) => `  ${issue.name}: ${issue.message}`)].join('\n'))
    this.issues = issues
  }
}

/** Shortest part of a value that could be a secret by itself. */
const LEAST_PART = 4

/** A message that repeats a value or a good part of it is withheld: start-up logs are read by many. */
export const withoutValue = (message: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '') return message
  const text = message.toLowerCase()
  const parts = value.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const repeats =
    hasWord(text, value.toLowerCase()) || parts.some((part) => part.length >= LEAST_PART && text.includes(part))
  return repeats ? 'is invalid (the message of its schema repeats the value and is withheld)' : message
}

/** True when the word occurs, not merely as part of another: `5` in `received 5`, not in `at most 50`. */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true
  }
  return false
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
