import { expect, test } from 'vitest'
import { appendVary, mergeVary } from '../../src/internal/header/vary.ts'

test.each([
  ['the first name', null, 'Origin'],
  ['a further name', 'Accept', 'Accept, Origin'],
  ['the same name', 'Origin', 'Origin'],
  ['the same name in another case', 'accept, ORIGIN', 'accept, ORIGIN'],
  ['a name that holds the other', 'X-Origin', 'X-Origin, Origin'],
  ['everything varies already', '*', '*'],
  ['everything among others', 'Accept, *', 'Accept, *'],
  ['an empty field', '', 'Origin'],
])('appendVary: %s', (_, current, expected) => {
  const headers = new Headers(current === null ? {} : { vary: current })
  appendVary(headers, 'Origin')
  expect(headers.get('vary')).toBe(expected)
})

test('mergeVary works on the text alone', () => {
  expect(mergeVary('a', 'b')).toBe('a, b')
})
