/** Characters that a URL never holds unescaped in its path; a pattern may, and is read as its escaped form. */
const UNSAFE = /[^\x21-\x7e]|["<>`{}^]/gu

/** A parameter name: letters, digits, `_` and `-`. */
const NAME = /^[\w-]+$/

const refuse = (path: string, why: string): never => {
  throw new TypeError(`Route path ${JSON.stringify(path)}: ${why}`)
}

/** Join a prefix and a path with exactly one slash; `*` and `/*` below a prefix mean everything there. */
export const joinPaths = (prefix: string, path: string): string => {
  const head = prefix.replace(/\/+$/, '')
  const tail = path.startsWith('/') ? path : `/${path}`
  return (head && !head.startsWith('/') ? '/' : '') + head + (head && tail === '/' ? '' : tail)
}

/**
 * Check a pattern and bring it into the one form the router stores: a leading slash, literals escaped as in a URL.
 *
 * @throws {TypeError} for a wildcard that is not last, a nameless or doubled parameter, and anything the contract does not have.
 */
export const normalizePattern = (path: string): string => {
  const names = new Set<string>()
  const segments = joinPaths('', path).split('/')
  return segments
    .map((segment, index) => {
      const kind = segment[0]
      const name = segment.slice(1)
      if (kind === '*' && index < segments.length - 1) refuse(path, 'a wildcard must be the last segment')
      if (kind === ':' || (kind === '*' && name)) {
        if (!NAME.test(name))
          refuse(path, `${JSON.stringify(segment)} is not a parameter; names are letters, digits, _ and -`)
        if (names.has(name)) refuse(path, `parameter ${JSON.stringify(name)} stands twice`)
        names.add(name)
      } else if (kind !== '*' && segment.includes('*')) refuse(path, '* must stand at the start of the last segment')
      return kind === ':' || kind === '*' ? segment : segment.replace(UNSAFE, encodeURIComponent)
    })
    .join('/')
}
