/** Characters that the path of a URL never contains unescaped; in a pattern they are escaped. */
const UNSAFE = /[^!-~]|["<>`{}^]/gu

/**
 * Literal segments, without a query, and `:name`s, then perhaps a wildcard: `*` or `*name`. Names are letters, digits,
 * `_` and `-`.
 */
const PATTERN = /^(\/(:[\w-]+|[^:*/?#][^*/?#]*)?)*(\/\*[\w-]*)?$/

/** Without trailing slashes. A loop, because `/\/+$/` takes quadratic time for slashes in the middle. */
export const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Join a prefix and a path with exactly one slash between them. */
export const joinPaths = (prefix: string, path: string): string => {
  const head = withoutSlashes(prefix)
  return path === '/' && head ? head : head + path
}

/**
 * Check a pattern and convert it to the form that the router stores: a leading slash, literals escaped as in a URL.
 *
 * @throws {TypeError} for a wildcard that is not last, a nameless or repeated parameter, and anything else that the
 * contract does not allow.
 */
export const normalizePattern = (path: string): string => {
  const text = `${path}`
  const pattern = text[0] === '/' ? text : `/${text}`
  const names = pattern.match(/(?<=\/[:*])[\w-]+/g) ?? []
  if (typeof path !== 'string' || !PATTERN.test(pattern) || new Set(names).size < names.length)
    throw new TypeError(
      `path: expected a pattern such as "/users/:id", "/*" or of sluice/patterns, got ${JSON.stringify(path)}`,
    )
  return pattern.replace(UNSAFE, encodeURIComponent)
}

/** A prefix in the form that routes and contexts use: a leading slash, none at the end; empty if there is none. */
export const basePathOf = (prefix = ''): string => withoutSlashes(normalizePattern(`${prefix}/`))
