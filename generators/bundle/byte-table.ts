import { type Output, table } from '../output.ts'
import type { Cost } from './bundle.ts'

/** Characters of the longest bar. */
const BAR = 24

/** A table of the bytes of each part of a bundle, with a bar for each and the total at the end. */
export const byteTable = (parts: readonly Cost[], total: Cost, { paint }: Output): string[] => {
  const max = Math.max(1, ...parts.map(({ gzip }) => gzip))
  const bar = ({ gzip }: Cost): string => '█'.repeat(Math.max(1, Math.round((BAR * gzip) / max)))
  const row = (cost: Cost, drawing: string): string[] => [cost.feature, bytes(cost.gzip), bytes(cost.brotli), drawing]
  const lines = table([['', '   gzip', '    br', ''], ...parts.map((part) => row(part, bar(part))), row(total, '')])
  return lines.map((line, index) => (index === 0 ? paint.dim(line) : line.replace(/█+/, paint.cyan)))
}

const bytes = (count: number): string => String(count).padStart(7)
