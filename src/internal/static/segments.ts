/** The names on a path, decoded. */
export interface PathNames {
  readonly names: readonly string[]
  /** Whether the path ends with a slash. */
  readonly slash: boolean
}

/** What no name of a file has: control characters, slashes of either kind. */
const FORBIDDEN = /[\0-\x1f\x7f/\\]/

/** Longest path that is looked up, in characters. Systems take 4,096 bytes with the root before it. */
const LONGEST = 2048

/**
 * The names on a path, which begins with a slash or is empty, each decoded once. Nothing if a name is empty, `.` or `..`, or has a
 * slash, a backslash or a control character in any spelling: no such path leads to a file.
 */
export const namesOf = (path: string): PathNames | undefined => {
  if (!path) return { names: [], slash: false }
  if (path.length > LONGEST || !path.startsWith('/')) return undefined
  const slash = path.endsWith('/')
  const encoded = path.slice(1, slash ? -1 : undefined)
  if (!encoded) return path === '/' ? { names: [], slash } : undefined
  const names: string[] = []
  for (const part of encoded.split('/')) {
    const name = decode(part)
    if (!name || name === '.' || name === '..' || FORBIDDEN.test(name)) return undefined
    names.push(name)
  }
  return { names, slash }
}

/** Names of devices, whatever follows a dot; streams and drives; short names; ends that Windows cuts off. */
const WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:$|\.)|[:*?"<>|]|~\d|[. ]$/i

/** Whether Windows takes a name for the file of just that name, and for nothing else. */
export const isSafeOnWindows = (name: string): boolean => !WINDOWS.test(name)

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
