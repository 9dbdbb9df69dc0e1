/**
 * The difference between two texts: `-` before lines of the first, `+` before lines of the second, and up to three
 * unchanged lines around each change.
 */
export const diffLines = (before: string, after: string): string[] => {
  const a = before.split('\n')
  const b = after.split('\n')
  const steps = walk(a, b, commonLengths(a, b))
  const near = (index: number): boolean => steps.slice(Math.max(0, index - 3), index + 4).some(([mark]) => mark !== ' ')
  return steps.filter((_, index) => near(index)).map(([mark, line]) => `${mark} ${line}`)
}

/** Length of the longest common subsequence after each pair of positions. */
const commonLengths = (a: readonly string[], b: readonly string[]): readonly Uint32Array[] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i]!
    const below = lengths[i + 1]!
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!)
    }
  }
  return lengths
}

const walk = (
  a: readonly string[],
  b: readonly string[],
  lengths: readonly Uint32Array[],
): (readonly [string, string])[] => {
  const steps: (readonly [string, string])[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push([' ', a[i]!])
      i++
      j++
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      steps.push(['-', a[i]!])
      i++
    } else {
      steps.push(['+', b[j]!])
      j++
    }
  }
  return steps
}
