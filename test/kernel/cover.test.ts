import { expect, test } from 'vitest'
import { coverOf, matcherOf } from '../../src/kernel/cover.ts'
import { createRouter } from '../../src/router.ts'

/** All lists of up to so many of these. */
const lists = (words: readonly string[], most: number): string[][] =>
  Array.from({ length: most }).reduce<string[][]>(
    (all) => [[], ...all.flatMap((list) => words.map((one) => [...list, one]))],
    [[]],
  )
const unique = (all: readonly string[]): string[] => [...new Set(all)]

/** Patterns of up to three words and parameters, with and without a wildcard. */
const patterns = (name: string): string[] =>
  unique(
    lists(['a', 'b', ':'], 3).flatMap((list) =>
      ['', '/*', '/*r'].map(
        (end) => list.map((one, index) => `/${one === ':' ? `:${name}${index}` : one}`).join('') + end || '/',
      ),
    ),
  )

/** Paths of up to four segments, with an escaped slash in every place. */
const paths = unique(
  lists(['a', 'b', 'c'], 4)
    .filter((list) => list.length)
    .flatMap((list) =>
      Array.from(
        { length: 2 ** (list.length - 1) },
        (_, mask) =>
          `/${list.map((one, index) => (index ? ((mask >> (index - 1)) & 1 ? '%2F' : '/') : '') + one).join('')}`,
      ),
    )
    .concat('/', '/%61', '/a/', '/a//', '/%61/b', '/a/b/', '/%62%2Fa/b'),
)

const scopes = patterns('s').map((pattern) => {
  const matches = matcherOf(pattern)
  return { pattern, matches, covered: paths.map(matches) }
})

test('I2: what covers a route for certain covers each of its paths, and what does not covers none', () => {
  const wrong: string[] = []
  const count = [0, 0, 0]
  for (const route of patterns('r')) {
    const router = createRouter([{ method: 'GET', path: route, value: true }])
    const reached = paths.flatMap((path, index) => (router.find('GET', path) ? [index] : []))
    for (const { pattern, matches, covered } of scopes) {
      const cover = coverOf(pattern, matches, route)
      count[cover] = count[cover]! + 1
      const against = reached.find((index) => (cover === 2 ? !covered[index] : cover === 0 && covered[index]))
      if (against !== undefined) wrong.push(`${pattern} on ${route}: ${cover}, but ${paths[against]}`)
    }
  }
  expect({ pairs: count[0]! + count[1]! + count[2]!, wrong }).toEqual({ pairs: 14_400, wrong: [] })
  // Each answer is given, so none of the three is proved of nothing
  expect(Math.min(...count)).toBeGreaterThan(500)
})
