/** The name that is most similar to the input, if less than about a third of the letters differ. */
export const nearestName = (input: string, names: Iterable<string>): string | undefined =>
  [...names]
    .filter((name) => distance(input, name) * 3 < input.length + 3)
    .sort((a, b) => distance(input, a) - distance(input, b))[0]

/** ` Did you mean "database"?`, or an empty string if no name is similar. */
export const didYouMean = (wanted: string, names: Iterable<string>): string => {
  const near = nearestName(wanted, names)
  return near ? ` Did you mean "${near}"?` : ''
}

/** The number of letters that only one of two names has. */
const distance = (a: string, b: string): number =>
  [...a, ...b].filter((letter) => !a.includes(letter) || !b.includes(letter)).length
