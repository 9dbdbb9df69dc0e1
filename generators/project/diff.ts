/**
 * The difference between two texts: `-` before lines of the first, `+` before lines of the second, and up to three
 * unchanged lines around each change. A change ends at the next line that each text has exactly once.
 */
export const diffLines = (before: string, after: string): string[] => {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const anchors = new Set(a.filter((line) => isOnce(line, a) && isOnce(line, b)))
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (a[i] === b[j]) {
      lines.push(`  ${a[i]}`)
      i++
      j++
      continue
    }
    const next = a.findIndex((line, index) => index >= i && anchors.has(line) && b.indexOf(line) >= j)
    const [endA, endB] = next < 0 ? [a.length, b.length] : [next, b.indexOf(a[next]!)]
    lines.push(...a.slice(i, endA).map((line) => `- ${line}`), ...b.slice(j, endB).map((line) => `+ ${line}`))
    i = endA
    j = endB
  }
  return lines.filter((_, index) => lines.slice(Math.max(0, index - 3), index + 4).some((line) => /^[-+]/.test(line)))
}

const isOnce = (line: string, lines: readonly string[]): boolean =>
  lines.includes(line) && lines.indexOf(line) === lines.lastIndexOf(line)
