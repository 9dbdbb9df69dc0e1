/**
 * Invariants: `coverOf` returns 2 only if the pattern matches every path of the route. A path that cannot be decoded
 * matches every pattern.
 */
import { isDecodable } from '../internal/route/pattern.ts'

/** Stands for `%2F` in a decoded path: no path of a legitimate request contains it. */
const SLASH = '\0'

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path.replace(/%2f/gi, SLASH))
  } catch {
    return path
  }
}

/** The source of a regular expression for a pattern, whose wildcard stays as it is. */
export const sourceOf = (pattern: string): string =>
  pattern.replace(/[.+?^{}()[\]\\|$]/g, '\\$&').replace(/\/:[\w-]+/g, '/[^/]+')

export const matcherOf = (pattern: string): ((path: string) => boolean) => {
  const slashes = sourceOf(decode(pattern))
    .replace(/\/\*[\w-]*$/, '(/.*)?')
    .replace(/\/$/, '')
    .replace(/(?<!\[\^)\//g, `[/${SLASH}]`)
  const matching = new RegExp(`^${slashes}/?$`, 's')
  // Most patterns differ from a path in their first characters
  const head = decode(pattern.replace(/\/[:*].*|\/$/, ''))
  return (path) =>
    path.includes('%')
      ? !isDecodable(path) || matching.test(decode(path))
      : path.startsWith(head) && matching.test(path)
}

/** The beginning of all paths of a pattern. */
const headOf = (pattern: string): string => decode(pattern.replace(/(?<=\/)[:*].*/, '')).replaceAll(SLASH, '/')

/**
 * Whether a pattern covers every path of a route (2), perhaps some (1) or none (0). A parameter of the route may be
 * `%2F`, which a pattern reads as a slash, so only the text before it can exclude a pattern.
 */
export const coverOf = (pattern: string, matches: (path: string) => boolean, route: string): 0 | 1 | 2 => {
  if (!/\/[:*]/.test(route)) return matches(route) ? 2 : 0
  const [base, star] = pattern.split('/*') as [string, string?]
  if (star === undefined ? route === pattern : `${route}/`.startsWith(`${base}/`)) return 2
  const [head, routeHead] = [headOf(pattern), headOf(route)]
  return head.startsWith(routeHead) || routeHead.startsWith(head) ? 1 : 0
}
