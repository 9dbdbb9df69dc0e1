import { usageError } from './errors.ts'
import { pluralize } from './plural.ts'
import { refuseWord } from './reserved.ts'

/** One name in every form that a generated file needs. All forms are plain ASCII identifiers or paths of them. */
export interface Name {
  /** `BlogPost` */
  readonly pascal: string
  /** The same with the suffix, if one was typed: `BlogPostValidator`. */
  readonly typed: string
  /** `blogPost` */
  readonly camel: string
  /** `blog_post` */
  readonly snake: string
  /** `blog-post` */
  readonly kebab: string
  /** `blogPosts` */
  readonly plural: string
  /** `blog_posts`: the table, when none is given. */
  readonly table: string
  /** `Blog post`, as a sentence begins. */
  readonly title: string
  /** Folders before the name, in kebab case: `['admin']` of `admin/User`. */
  readonly folders: readonly string[]
  /** Where its routes live: `/admin/blog-posts`. */
  readonly path: string
}

/** Maximum length of a name, including folders: every file system accepts the resulting file names. */
export const MAX_NAME_LENGTH = 100

/**
 * Read a name as it is typed, in any style, with folders before it.
 *
 * @param suffix Word that the kind puts behind its class names, so that it is never doubled: `UserController` is `User`.
 * @throws {CliError} with exit code 2 for anything that could leave the project, is no identifier, or clashes with one.
 * @example
 * parseName('admin/blog-post').pascal // 'BlogPost'
 */
export const parseName = (input: string, suffix = ''): Name => {
  assertShape(input)
  const segments = input.split('/')
  for (const segment of segments) assertSegment(segment, input)
  const words = withoutSuffix(splitWords(segments.at(-1) ?? ''), suffix)
  if (words.length === 0) throw usageError(`"${input}" leaves no name when "${suffix}" is taken away`)
  const folders = segments.slice(0, -1).map((segment) => splitWords(segment).join('-').toLowerCase())
  const name = { ...inflect(words, folders), typed: toPascal(splitWords(segments.at(-1) ?? '')) }
  refuseWord(name, input)
  return name
}

/** A model as it is typed, and below `src/app/models`: `admin/BlogPost`. */
export const modelPath = ({ folders, pascal }: Name): string => [...folders, pascal].join('/')

/** Split into words at `-`, `_`, and where a capital follows: `HTMLParser2` is `HTML`, `Parser2`. */
export const splitWords = (text: string): string[] =>
  text.match(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9a-z]*|[0-9]+[a-z]*/g) ?? []

/** `blog`, `Post` to `BlogPost`; capitals inside a word stay. */
export const toPascal = (words: readonly string[]): string =>
  words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')

/** `Blog`, `Post` to `blogPost`; a leading run of capitals falls as one: `HTML`, `Parser` to `htmlParser`. */
export const toCamel = (words: readonly string[]): string => {
  const [first = '', ...rest] = words
  return (
    (first === first.toUpperCase() ? first.toLowerCase() : first.slice(0, 1).toLowerCase() + first.slice(1)) +
    toPascal(rest)
  )
}

/** `Blog`, `Post` to `blog_post`. */
export const toSnake = (words: readonly string[]): string => words.join('_').toLowerCase()

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
    path: `/${[...folders, plurals.join('-').toLowerCase()].join('/')}`,
  }
}

const pluralOf = (word: string): string => {
  const plural = pluralize(word.toLowerCase())
  return /^[A-Z]/.test(word) ? plural.slice(0, 1).toUpperCase() + plural.slice(1) : plural
}

const withoutSuffix = (words: readonly string[], suffix: string): readonly string[] =>
  suffix !== '' && words.at(-1)?.toLowerCase() === suffix.toLowerCase() ? words.slice(0, -1) : words

const assertShape = (input: string): void => {
  if (input.length > MAX_NAME_LENGTH) {
    throw usageError(`The name has ${input.length} characters, at most ${MAX_NAME_LENGTH} are taken`)
  }
  // Tested before any splitting, so that `..`, `\`, NUL, a drive letter or an empty segment has no second chance.
  if (!/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/.test(input)) {
    throw usageError(`${JSON.stringify(input)} is no name: use letters, digits, "-" and "_", with "/" between folders`)
  }
}

const assertSegment = (segment: string, input: string): void => {
  if (!/^[A-Za-z]/.test(segment)) throw usageError(`"${input}" is no name: "${segment}" must begin with a letter`)
  // CON, NUL, COM1 … are devices on Windows under any extension: such a file cannot be checked out there.
  if (/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i.test(segment)) {
    throw usageError(`"${input}" is no name: "${segment}" is a device on Windows`)
  }
}
