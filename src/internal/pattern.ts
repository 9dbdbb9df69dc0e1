/** Characters that a URL never holds unescaped in its path; a pattern may, and is read as its escaped form. */
const UNSAFE = /[^!-~]|["<>`{}^]/gu

/** Literal segments and `:name`s, then perhaps a wildcard: `*` or `*name`. Names are letters, digits, `_` and `-`. */
const PATTERN = /^(\/(:[\w-]+|[^:*/][^*/]*)?)*(\/\*[\w-]*)?$/

/** The same name twice. */
const TWICE = /[:*]([\w-]+)\/(.*\/)?[:*]\1(\/|$)/

/** Join a prefix and a path with exactly one slash between them. */
export const joinPaths = (prefix: string, path: string): string => {
  const head = prefix.replace(/\/+$/, '')
  return path === '/' && head ? head : head + path
}

/**
 * Check a pattern and bring it into the one form the router stores: a leading slash, literals escaped as in a URL.
 *
 * @throws {TypeError} for a wildcard that is not last, a nameless or doubled parameter, and anything the contract does not have.
 */
export const normalizePattern = (path: string): string => {
  const pattern = path[0] === '/' ? path : `/${path}`
  if (PATTERN.test(pattern) && !TWICE.test(pattern)) return pattern.replace(UNSAFE, encodeURIComponent)
  throw new TypeError(`path: ${JSON.stringify(path)} is no pattern of /literal, /:name and a last /* or /*name`)
}
