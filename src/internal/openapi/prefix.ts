/** The part of a path before another path that it ends with: the prefix where an application was mounted. */
export const prefixOf = (path: string, end: string): string | undefined => {
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  return trimmed.endsWith(end) ? trimmed.slice(0, trimmed.length - end.length) : undefined
}
