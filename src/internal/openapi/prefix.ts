/** The part of a path before another path that it ends with: the prefix where an application was mounted. */
export const prefixOf = (path: string, end: string): string | undefined => {
  const own = path.replace(/(?<!\/)\/+$/, '')
  return own.endsWith(end) ? own.slice(0, own.length - end.length) : undefined
}
