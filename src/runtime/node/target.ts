/** Where a request goes: the URL that Fetch would show, and its path. */
export interface Target {
  readonly path: string
  /** The URL without scheme and authority. */
  readonly rest: string
  /** Scheme and authority, when the target brings its own. */
  readonly origin: string | undefined
}

/** Anything that URL parsing would change: dot segments, backslashes, characters that it escapes. */
const UNUSUAL = /[^!$&(-;=?-Z_a-z~%[\]|]|\/\.|%2e/i

/** A host with an optional port (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a Host field can stand in a URL. */
export const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`)

/**
 * Read a request target (RFC 9112 §3.2): a path, an absolute URL, which then counts instead of Host, or `*`.
 *
 * The path is the one that `new URL` would give, so router and middleware never see different ones.
 *
 * @returns nothing for what is no target.
 */
export const parseTarget = (target: string): Target | undefined => {
  if (target.charCodeAt(0) === 47) {
    if (!UNUSUAL.test(target)) return { path: pathOf(target), rest: target, origin: undefined }
    const { pathname, search } = new URL(`http://h${target}`)
    return { path: pathname, rest: pathname + search, origin: undefined }
  }
  if (target === '*') return { path: '*', rest: '/*', origin: undefined }
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  const { origin, pathname, search, username, password } = new URL(target)
  return username || password ? undefined : { path: pathname, rest: pathname + search, origin }
}

const pathOf = (target: string): string => {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}
