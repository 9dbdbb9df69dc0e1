/** Characters that a URL never holds unescaped in its path; a pattern may, and is read as its escaped form. */
const UNSAFE = /[^!-~]|["<>`{}^]/gu

/** Literal segments and `:name`s, then perhaps a wildcard: `*` or `*name`. Names are letters, digits, `_` and `-`. */
const PATTERN = /^(\/(:[\w-]+|[^:*/][^*/]*)?)*(\/\*[\w-]*)?$/

/** Without the slashes at its end; they are looked for once, where the first of them stands. */
export const withoutSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')

/** Join a prefix and a path with exactly one slash between them. */
export const joinPaths = (prefix: string, path: string): string => {
  const head = withoutSlashes(prefix)
  return path === '/' && head ? head : head + path
}

/**
 * Check a pattern and bring it into the one form the router stores: a leading slash, literals escaped as in a URL.
 *
 * @throws {TypeError} for a wildcard that is not last, a nameless or doubled parameter, and anything the contract does not have.
 */
export const normalizePattern = (path: string): string => {
  const pattern = path[0] === '/' ? path : `/${path}`
  if (PATTERN.test(pattern) && !isDoubled(namesIn(pattern))) return pattern.replace(UNSAFE, encodeURIComponent)
  throw new TypeError(`path: ${JSON.stringify(path)} is no pattern of /literal, /:name and a last /* or /*name`)
}

const namesIn = (pattern: string): string[] => pattern.match(/(?<=\/[:*])[\w-]+/g) ?? []

const isDoubled = (names: string[]): boolean => new Set(names).size < names.length
