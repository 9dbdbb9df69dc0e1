/**
 * ` Did you mean "a" or "b"?` with the names that somebody may have meant, or nothing. A name is near when it begins or
 * ends as the wanted one does, over half of the letters.
 *
 * @example
 * didYouMean('databse', ['cache', 'database']) // ' Did you mean "database"?'
 */
export const didYouMean = (wanted: string, names: Iterable<string>): string => {
  const half = wanted.length >> 1 || 1
  const near = [...names].filter((name) => name.startsWith(wanted.slice(0, half)) || name.endsWith(wanted.slice(-half)))
  return near.length > 0 ? ` Did you mean "${near.join('" or "')}"?` : ''
}
