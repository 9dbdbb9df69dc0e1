/** The name that is most similar to the input; `undefined` if more than a third of the letters differ in each. */
export const nearestName = (input: string, names: Iterable<string>): string | undefined =>
  [...names]
    .filter((name) => distance(input, name) * 3 < input.length + 3)
    .sort((a, b) => distance(input, a) - distance(input, b))[0]

/**
 * ` Did you mean "database"?`, or an empty string if no name is similar.
 *
 * @example
 * didYouMean('databse', ['cache', 'database']) // ' Did you mean "database"?'
 */
export const didYouMean = (wanted: string, names: Iterable<string>): string => {
  const near = nearestName(wanted, names)
  return near ? ` Did you mean "${near}"?` : ''
}

/** The difference of two names: the number of letters that only one of them has. */
const distance = (a: string, b: string): number =>
  [...a, ...b].filter((letter) => !a.includes(letter) || !b.includes(letter)).length
