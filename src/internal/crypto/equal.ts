/**
 * Compare two texts in a time that depends only on their lengths, so that a secret cannot be guessed character by
 * character.
 *
 * @example
 * equal(presented, expected)
 */
export const equal = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}
