import { usageError } from '../errors.ts'
import { pluralize } from './plural.ts'
import { refuseWord } from './reserved.ts'

/** A name in every form that generated files need. All forms are ASCII identifiers or paths of them. */
export interface Name {
  /** `BlogPost` */
  readonly pascal: string
  /** The same with the suffix of the kind, if the user typed it: `BlogPostValidator`. */
  readonly typed: string
  /** `blogPost` */
  readonly camel: string
  /** `blog_post` */
  readonly snake: string
  /** `blog-post` */
  readonly kebab: string
  /** `blogPosts` */
  readonly plural: string
  /** `blog_posts`: the default name of the table. */
  readonly table: string
  /** `Blog post`, for the beginning of a sentence. */
  readonly title: string
  /** Folders before the name, in kebab case: `['admin']` of `admin/User`. */
  readonly folders: readonly string[]
  /** The same as the beginning of a path: `admin/`, or empty. */
  readonly inside: string
  /** Path of its routes: `/admin/blog-posts`. */
  readonly path: string
}

/** Maximum length of a name, including folders: every file system accepts the resulting file names. */
export const MAX_NAME_LENGTH = 100

/**
 * Parse a name in any style, optionally with folders before it.
 *
 * @param suffix Word that the kind appends to class names. It is removed first, so `UserController` is `User`.
 * @throws {CliError} with exit code 2 for a name that could leave the project, is not an identifier, or is reserved.
 * @example
 * parseName('admin/blog-post').pascal // 'BlogPost'
 */
export const parseName = (input: string, suffix = ''): Name => {
  assertShape(input)
  const segments = input.split('/')
  for (const segment of segments) assertSegment(segment, input)
  const words = withoutSuffix(splitWords(segments.at(-1) ?? ''), suffix)
  if (words.length === 0) throw usageError(`"${input}" has no name before the suffix "${suffix}"`)
  const folders = segments.slice(0, -1).map((segment) => splitWords(segment).join('-').toLowerCase())
  const name = { ...inflect(words, folders), typed: toPascal(splitWords(segments.at(-1) ?? '')) }
  refuseWord(name, input)
  return name
}

/** The path of a model below `src/app/models`, without extension: `admin/BlogPost`. */
export const modelPath = ({ inside, pascal }: Name): string => inside + pascal

/** Split into words at `-`, `_` and before capitals: `HTMLParser2` is `HTML`, `Parser2`, and `SKUs` is one word. */
export const splitWords = (text: string): string[] =>
  text.match(/[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9a-z]*|[0-9]+[a-z]*/g) ?? []

/** `blog`, `Post` to `BlogPost`; other capitals are kept. */
export const toPascal = (words: readonly string[]): string =>
  words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')

/** `Blog`, `Post` to `blogPost`; a first word in capitals becomes lower case: `HTML`, `Parser` to `htmlParser`. */
export const toCamel = (words: readonly string[]): string => {
  const [first = '', ...rest] = words
  return (
    (/^(?:[^a-z]+|[A-Z]{2,}s)$/.test(first) ? first.toLowerCase() : first.slice(0, 1).toLowerCase() + first.slice(1)) +
    toPascal(rest)
  )
}

/** `Blog`, `Post` to `blog_post`. */
export const toSnake = (words: readonly string[]): string => words.join('_').toLowerCase()

/** `user` and `users` to `users`: the table of words in lower case. */
export const tableOf = (words: readonly string[]): string =>
  toSnake([...words.slice(0, -1), pluralize(words.at(-1) ?? '')])

const inflect = (words: readonly string[], folders: readonly string[]): Omit<Name, 'typed'> => {
  const plurals = [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')]
  const title = words.join(' ').toLowerCase()
  return {
    pascal: toPascal(words),
    camel: toCamel(words),
    snake: toSnake(words),
    kebab: words.join('-').toLowerCase(),
    plural: toCamel(plurals),
    table: toSnake(plurals),
    title: title.slice(0, 1).toUpperCase() + title.slice(1),
    folders,
    inside: folders.map((folder) => `${folder}/`).join(''),
    path: `/${[...folders, plurals.join('-').toLowerCase()].join('/')}`,
  }
}

const pluralOf = (word: string): string => {
  // An abbreviation in the plural: `SKUs`
  if (/^[A-Z]{2,}s$/.test(word)) return word.slice(0, 1) + word.slice(1).toLowerCase()
  const plural = pluralize(word.toLowerCase())
  return /^[A-Z]/.test(word) ? plural.slice(0, 1).toUpperCase() + plural.slice(1) : plural
}

const withoutSuffix = (words: readonly string[], suffix: string): readonly string[] =>
  suffix !== '' && words.at(-1)?.toLowerCase() === suffix.toLowerCase() ? words.slice(0, -1) : words

const assertShape = (input: string): void => {
  if (input.length > MAX_NAME_LENGTH) {
    throw usageError(`The name has ${input.length} characters, at most ${MAX_NAME_LENGTH} are allowed`)
  }
  // Checked before the name is split, so that `..`, `\`, NUL, a drive letter or an empty segment is never processed.
  if (!/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/.test(input))
    throw usageError(
      `${JSON.stringify(input)} is not a name: use letters, digits, "-" and "_", with "/" between folders`,
    )
  if (IN_PROJECT.test(input))
    throw usageError(`"${input}" is not a name, but a path: leave out the folders of the project`)
}

/** A name of this form is the path of a file in the project. */
const IN_PROJECT = /^(?:src|app\/(?:models|controllers|services|validators|middleware|providers))\//

const assertSegment = (segment: string, input: string): void => {
  if (!/^[A-Za-z]/.test(segment)) throw usageError(`"${input}" is not a name: "${segment}" must begin with a letter`)
  // CON, NUL, COM1 … are devices on Windows, with any extension: such a file cannot be checked out there.
  if (/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i.test(segment)) {
    throw usageError(`"${input}" is not a name: "${segment}" is a device on Windows`)
  }
}
