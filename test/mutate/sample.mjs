import { readFileSync } from 'node:fs'

/** Comments, imports, exports of other modules, types, and lines of brackets only: a mutant begins at none of them. */
const NO_CODE = /^\s*(?:\/[/*]|\*|import\b|export (?:\*|\{|type|interface)|interface\b|type \w|readonly\b|[)\]}>(,;]*$)/

/**
 * Take random lines of code, the same for the same seed, as the ranges `file:line-line` of Stryker's `mutate`.
 *
 * @example
 * sampleLines(['src/pipe/pipe.ts'], 1, 7) // ['src/pipe/pipe.ts:31-31']
 */
export const sampleLines = (files, count, seed) => {
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (NO_CODE.test(line) ? [] : [`${file}:${at + 1}-${at + 1}`])),
  )
  const random = randomOf(seed)
  return Array.from({ length: Math.min(count, lines.length) }, () =>
    lines.splice(Math.floor(random() * lines.length), 1),
  ).flat()
}

/** Mulberry32: small, and equal on each machine. */
const randomOf = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
