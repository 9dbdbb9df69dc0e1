import { DEV } from '#mode'

/** Characters that the path of a URL never contains unescaped; in a pattern they are escaped. */
const UNSAFE = /[^!-~]|["<>`{}^]/gu

/** What a pattern should have, if it is not literal segments and `:name`s, then perhaps a wildcard: `*` or `*name`. */
const faultIn = (pattern: string): string | undefined => {
  const names: readonly string[] = pattern.match(/(?<=\/[:*])[\w-]+/g) ?? []
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) return `another name for the second ":${twice}"`
  if (/\/\*.*\//.test(pattern)) return 'a wildcard at the end alone'
  if (/^(\/(:[\w-]+|[^:*/?#][^*/?#]*)?)*(\/\*[\w-]*)?$/.test(pattern)) return undefined
  return 'segments such as "users" and ":id", without a query; optional and restricted ones need sluice/router/patterns'
}

/** The path without trailing slashes. A loop, because `/\/+$/` takes quadratic time for slashes in the middle. */
export const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

export const joinPaths = (prefix: string, path: string): string => {
  const head = withoutSlashes(prefix)
  return path === '/' && head ? head : head + path
}

/** The form that the router stores: literals escaped as in a URL. @throws {TypeError} in the build with checks. */
export const normalizePattern = (path: string): string => {
  const pattern = `${path}`[0] === '/' ? path : `/${path}`
  if (DEV) {
    const fault = typeof path === 'string' ? faultIn(pattern) : 'a pattern such as "/users/:id" or "/*"'
    if (fault) throw new TypeError(`path: expected ${fault}, got ${JSON.stringify(path)}`)
  }
  return pattern.replace(UNSAFE, encodeURIComponent)
}

/** A prefix in the form that routes and contexts use: a leading slash, none at the end; empty if there is none. */
export const basePathOf = (prefix = ''): string => withoutSlashes(normalizePattern(`${prefix}/`))

/** No legitimate path has more escaped slashes. Each can be part of a segment, and a matcher tries the combinations. */
const MAX_ESCAPED_SLASHES = 16

/** Whether a path can be decoded in a reasonable number of ways. Any other is covered by every scope, and gets 400. */
export const isDecodable = (path: string): boolean => {
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return path.split(/%2f/i).length <= MAX_ESCAPED_SLASHES + 1
  } catch {
    return false
  }
}
