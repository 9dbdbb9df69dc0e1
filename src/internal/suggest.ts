/** The name that is nearest to what somebody wrote; none if there are no names. */
export const nearest = (wanted: string, names: Iterable<string>): string | undefined =>
  [...names].sort((a, b) => distance(wanted, a) - distance(wanted, b))[0]

/**
 * ` Did you mean "database"?`, or nothing if no name is near: at most half of the letters differ.
 *
 * @example
 * didYouMean('databse', ['cache', 'database']) // ' Did you mean "database"?'
 */
export const didYouMean = (wanted: string, names: Iterable<string>): string => {
  const near = nearest(wanted, names)
  return near !== undefined && distance(wanted, near) * 2 <= wanted.length ? ` Did you mean "${near}"?` : ''
}

/** How different two names are: the number of letters that one has and the other lacks. */
const distance = (a: string, b: string): number =>
  [...a, ...b].filter((letter) => !a.includes(letter) || !b.includes(letter)).length
