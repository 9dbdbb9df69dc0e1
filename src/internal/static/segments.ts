export interface PathNames {
  readonly names: readonly string[]
  /** Whether the path ends with a slash. */
  readonly slash: boolean
}

/** Characters that are not allowed in a file name: control characters, slashes and backslashes. */
const FORBIDDEN = /[\0-\x1f\x7f/\\]/

/** Maximum length of a path, in characters. Systems accept 4,096 bytes, including the root. */
const MAX_LENGTH = 2048

/**
 * The names on a path, each decoded once. `undefined` if a name is empty, `.` or `..`, or has a slash, a backslash or a
 * control character in any encoding: no such path leads to a file.
 */
export const namesOf = (path: string): PathNames | undefined => {
  const slash = path.endsWith('/')
  if (path.length < 2) return { names: [], slash }
  if (path.length > MAX_LENGTH) return undefined
  const names: string[] = []
  for (const part of path.slice(1, slash ? -1 : undefined).split('/')) {
    const name = decode(part)
    if (!name || name === '.' || name === '..' || FORBIDDEN.test(name)) return undefined
    names.push(name)
  }
  return { names, slash }
}

/** Names of devices, with any extension; streams and drives; short names; trailing characters that Windows removes. */
const WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:$|\.)|[:*?"<>|]|~\d|[. ]$/i

/** Whether Windows interprets a name as exactly that file, and nothing else. */
export const isSafeOnWindows = (name: string): boolean => !WINDOWS.test(name)

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
