/** Compare two strings in a time that depends only on their lengths, so that a secret cannot be guessed stepwise. */
export const equal = (first: string, other: string): boolean => {
  let difference = first.length ^ other.length
  for (let index = 0; index < first.length; index++) difference |= first.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}
