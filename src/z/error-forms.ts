import {
  type Flattened,
  type Formatted,
  type Issue,
  type PathKey,
  ValidationError,
} from '../errors/validation-error.ts'

/** An error, or anything that has its issues. */
type HasIssues<T> = Pick<ValidationError<T>, 'issues'>

/** The result of {@link treeifyError}: messages of each level, then `properties` of objects or `items` of arrays. */
export type Tree<T, Text = string> = { errors: Text[] } & (NonNullable<T> extends readonly unknown[]
  ? { items?: (Tree<NonNullable<T>[number], Text> | undefined)[] }
  : NonNullable<T> extends object
    ? { properties?: { [Key in keyof NonNullable<T>]?: Tree<NonNullable<T>[Key], Text> } }
    : unknown)

interface IssueLevel {
  errors: unknown[]
  properties?: { [key: string]: IssueLevel }
  items?: IssueLevel[]
}

const textOf = ({ message }: Issue): string => message

/**
 * The messages as a tree that has the form of the input, as zod 4 writes it. In the place of an issue of a
 * union stand those of its members.
 *
 * @example
 * treeifyError(error) // { errors: [], properties: { tags: { errors: [], items: [{ errors: ['Required'] }] } } }
 */
export function treeifyError<T>(error: HasIssues<T>): Tree<T>
export function treeifyError<T, Text>(error: HasIssues<T>, mapper: (issue: Issue) => Text): Tree<T, Text>
export function treeifyError(error: HasIssues<unknown>, mapper: (issue: Issue) => unknown = textOf): unknown {
  const root: IssueLevel = { errors: [] }
  const addIssue = (issue: Issue): void => {
    if (issue.code === 'invalid_union' && issue.unionErrors.length) {
      for (const { issues } of issue.unionErrors) issues.forEach(addIssue)
    } else issue.path.reduce(childLevel, root).errors.push(mapper(issue))
  }
  error.issues.forEach(addIssue)
  return root
}

/** The level of one key; a property named `__proto__` is an ordinary one. */
const childLevel = (level: IssueLevel, key: PathKey): IssueLevel => {
  if (typeof key === 'number') {
    level.items ??= []
    level.items[key] ??= { errors: [] }
    return level.items[key]
  }
  level.properties ??= {}
  if (!Object.hasOwn(level.properties, key)) {
    const value: IssueLevel = { errors: [] }
    Object.defineProperty(level.properties, key, { value, enumerable: true, configurable: true, writable: true })
    return value
  }
  return level.properties[key]!
}

/** `error.flatten()` as a function. */
export const flattenError = <T, Text = string>(
  error: HasIssues<T>,
  mapper?: (issue: Issue) => Text,
): Flattened<T, Text> => new ValidationError<T>(error.issues).flatten(mapper as (issue: Issue) => Text)

/** `error.format()` as a function. */
export const formatError = <T, Text = string>(
  error: HasIssues<T>,
  mapper?: (issue: Issue) => Text,
): Formatted<T, Text> => new ValidationError<T>(error.issues).format(mapper as (issue: Issue) => Text)

/**
 * The issues as lines for people, shallow paths first.
 *
 * @example
 * prettifyError(error) // '✖ Required\n  → at items[0].name'
 */
export const prettifyError = (error: HasIssues<unknown>): string =>
  [...error.issues]
    .sort((a, b) => a.path.length - b.path.length)
    .map(({ message, path }) => `✖ ${message}${path.length ? `\n  → at ${pathText(path)}` : ''}`)
    .join('\n')

const NAME = /^[a-z_$][\w$]*$/i

/** A path as one would write it: `items[0].name`. */
const pathText = (path: readonly PathKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join('')
    .replace(/^\./, '')
