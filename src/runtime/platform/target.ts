export interface RequestTarget {
  readonly path: string
  /** The URL without scheme and authority. */
  readonly rest: string
  readonly origin: string | undefined
}

/** The path for a request with an invalid host, where no server of ours refuses it: the router sends 400 or 404. */
export const NO_PATH = '/%'

const SLASH = 47
const DOT = 46
const PERCENT = 37

/** Characters that URL parsing leaves unchanged: none that it would escape or treat as a delimiter. */
const PLAIN: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[!$%&(-;=?-Z[\]_a-z|~]/.test(String.fromCharCode(code)),
)

/** Whether URL parsing would leave a path unchanged: plain characters, no dot or escape at the start of a segment. */
export const isPlainPath = (target: string): boolean => {
  if (target.charCodeAt(0) !== SLASH) return false
  for (let index = 0; index < target.length; index++) {
    const code = target.charCodeAt(index)
    if (!PLAIN[code]) return false
    if (code === SLASH) {
      const next = target.charCodeAt(index + 1)
      if (next === DOT || next === PERCENT) return false
    }
  }
  return true
}

export const cutQuery = (target: string): string => {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

/**
 * Read a request target (RFC 9112 §3.2): a path, an absolute URL, which then counts instead of Host, or `*`. The path
 * is that of `new URL`, so router and middleware never see different ones.
 */
export const parseTarget = (target: string): RequestTarget | undefined => {
  if (isPlainPath(target)) return { path: cutQuery(target), rest: target, origin: undefined }
  if (target.charCodeAt(0) === SLASH) {
    const { pathname, search } = new URL(`http://h${target}`)
    return { path: pathname, rest: pathname + search, origin: undefined }
  }
  if (target === '*') return { path: '*', rest: '/*', origin: undefined }
  if (!/^https?:\/\/[^/?#\\]/i.test(target)) return undefined
  try {
    const { origin, pathname, search, username, password } = new URL(target)
    return username || password ? undefined : { path: pathname, rest: pathname + search, origin }
  } catch {
    return undefined
  }
}
