/** The last segment of a file name that a client sent, without control characters: it is never a path. */
export const lastSegment = (path: string): string => {
  const name = path
    .replace(/[\0-\x1f\x7f]/g, '')
    .split(/[/\\]/)
    .at(-1)!
  return name === '.' || name === '..' ? '' : name
}
