import type { PathKey, ValidationError } from '../internal/schema/validation-error.ts'

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** `items[0].name`, as one would write it. */
const written = (path: readonly PathKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join('')
    .replace(/^\./, '')

/**
 * The issues as lines for people, shallow paths first.
 *
 * @example
 * prettify(error) // '✖ Required\n  → at items[0].name'
 */
export const prettify = (error: Pick<ValidationError, 'issues'>): string =>
  [...error.issues]
    .sort((a, b) => a.path.length - b.path.length)
    .map(({ message, path }) => `✖ ${message}${path.length ? `\n  → at ${written(path)}` : ''}`)
    .join('\n')
