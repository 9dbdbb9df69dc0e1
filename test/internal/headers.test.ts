import { describe, expect, test } from 'vitest'
import { evaluate, isSameRange } from '../../src/internal/header/conditional.ts'
import { policyOf } from '../../src/internal/header/csp.ts'
import { isFieldValue, isToken } from '../../src/internal/header/field-name.ts'
import { addTo, foldNames, type HeadersInput, hasNoBody, pairsOf, toPairs } from '../../src/internal/header/fields.ts'
import { notModified } from '../../src/internal/header/not-modified.ts'
import { oneLine } from '../../src/internal/header/one-line.ts'
import { isOrigin } from '../../src/internal/header/origin.ts'

describe('isToken', () => {
  test.each([
    ['letters, digits and every permitted sign', "Az09!#$%&'*+-.^_`|~", true],
    ['nothing', '', false],
    ['a space', 'a b', false],
    ['a colon', 'a:', false],
    ['a comma', 'a,b', false],
    ['a line end at the end', 'a\n', false],
    ['a NUL', 'a\0', false],
    ['a letter past ASCII', 'é', false],
    ['each delimiter of the grammar', '"(),/:;<=>?@[\\]{}', false],
  ])('%s', (_, text, expected) => {
    expect(isToken(text)).toBe(expected)
  })

  test('agrees with the platform on every character below 256', () => {
    for (let code = 0; code < 256; code++) {
      const name = `x${String.fromCharCode(code)}x`
      expect({ code, isToken: isToken(name) }).toEqual({ code, isToken: accepts(() => new Headers([[name, 'v']])) })
    }
  })
})

describe('isFieldValue', () => {
  test.each([
    ['plain text', "default-src 'self'", true],
    ['nothing at all', '', true],
    ['a tab', 'a\tb', true],
    ['Latin-1', 'café', true],
    ['CR', 'a\rb', false],
    ['LF', 'a\nb', false],
    ['NUL', 'a\0b', false],
    ['DEL', 'a\x7fb', false],
    ['a character past one byte', 'a→b', false],
  ])('%s', (_, text, expected) => {
    expect(isFieldValue(text)).toBe(expected)
  })

  test('accepts no field value that the platform refuses', () => {
    for (let code = 0; code < 300; code++) {
      const value = `x${String.fromCharCode(code)}x`
      if (isFieldValue(value))
        expect({ code, accepts: accepts(() => new Headers([['name', value]])) }).toEqual({ code, accepts: true })
    }
  })
})

describe('addTo: a list of fields for a response', () => {
  test.each([
    ['a field that is missing is added', {}, ['x-a', '1'], [['x-a', '1']]],
    [
      'one that is there is kept',
      { 'x-a': '0' },
      ['x-a', '1', 'x-b', '2'],
      [
        ['x-a', '0'],
        ['x-b', '2'],
      ],
    ],
    ['of two in the list the first counts', {}, ['x-a', '1', 'x-a', '2'], [['x-a', '1']]],
    ['Vary gets one name more', { vary: 'Origin' }, ['vary', 'Accept'], [['vary', 'Origin, Accept']]],
    [
      'cookies are lines of their own',
      { 'set-cookie': 'a=1' },
      ['set-cookie', 'b=2', 'set-cookie', 'c=3'],
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['set-cookie', 'c=3'],
      ],
    ],
    ['an empty list changes nothing', { 'x-a': '0' }, [], [['x-a', '0']]],
  ] as [string, Record<string, string>, string[], string[][]][])('%s', (_, there, list, expected) => {
    const headers = new Headers(there)
    addTo(headers, list)
    expect([...headers]).toEqual(expected)
  })
})

describe('preconditions of what has no modification time, or no entity tag', () => {
  const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
  test.each([
    ['if-unmodified-since', DATE, {}, 200],
    ['if-unmodified-since', DATE, { modified: Date.parse(DATE) + 1_000 }, 412],
    ['if-unmodified-since', 'yesterday', { modified: Date.parse(DATE) }, 200],
    ['if-modified-since', DATE, {}, 200],
    ['if-modified-since', DATE, { modified: Date.parse(DATE) }, 304],
    ['if-modified-since', 'yesterday', { modified: 0 }, 200],
    ['if-none-match', '"a"', {}, 200],
    ['if-match', '"a"', {}, 412],
  ])('%s: %s of %j gives %i', (name, value, validators, status) =>
    expect(evaluate((asked) => (asked === name ? value : null), validators)).toBe(status),
  )

  test.each([
    ['a date', DATE],
    ['a tag', '"a"'],
    ['a weak tag', 'W/"a"'],
    ['neither', 'yesterday'],
  ])('If-Range with %s is not the same', (_, field) => expect(isSameRange(field, {})).toBe(false))
})

test.each([
  ['an empty text is a directive without sources', { sandbox: '' }, 'sandbox'],
  ['so is an empty list', { sandbox: [] }, 'sandbox'],
  ['an undefined one is left out', { sandbox: undefined }, ''],
  ['false and null remove it', { sandbox: false, 'img-src': null }, ''],
] as const)('policyOf: %s', (_, given, policy) => expect(policyOf(given as never, false)).toBe(policy))

test('policyOf: an undefined directive keeps its default', () => {
  expect(policyOf({ defaultSrc: undefined } as never, true)).toBe(policyOf({}, true))
})

test('a list of fields as pairs: every second text is a name', () => {
  expect(toPairs(['x-a', '1', 'x-b', '2', 'x-c', '3'])).toEqual([
    ['x-a', '1'],
    ['x-b', '2'],
    ['x-c', '3'],
  ])
  expect({ empty: toPairs([]), none: toPairs(undefined) }).toEqual({ empty: [], none: undefined })
})

test('foldNames writes names in lower case and values as they are, and gives a list back that needs nothing', () => {
  const plain = ['x-a', 'ONE', 'x-b', 'Two']
  expect({
    first: foldNames(['X-A', 'ONE', 'x-b', 'Two']),
    last: foldNames(['x-a', 'ONE', 'X-B', 'Two']),
    same: foldNames(plain) === plain,
    empty: foldNames([]),
  }).toEqual({ first: plain, last: plain, same: true, empty: [] })
})

test.each([
  ['a number', 7],
  ['true', true],
  ['nothing', undefined],
  ['a list with one', ['https://a.example']],
])('%s is neither a token nor an origin', (_, value) => {
  expect({ token: isToken(value), origin: isOrigin(value) }).toEqual({ token: false, origin: false })
})

const accepts = (act: () => unknown): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

test('a 304 has the headers of the response without those of its body, and the tag that the client has', () => {
  const body = [
    'content-type',
    'content-length',
    'content-encoding',
    'content-language',
    'content-range',
    'accept-ranges',
  ]
  const fields = [...body, 'x-content-type', 'content-type-x', 'vary'].map((name) => [name, '1'] as const)
  const tagOf = (etag: string, noneMatch: string | null) =>
    notModified([...fields, ['etag', etag]], noneMatch).headers.get('etag')
  const { status, headers } = notModified(fields, null)
  expect({ status, names: [...headers.keys()].sort() }).toEqual({
    status: 304,
    names: ['content-type-x', 'vary', 'x-content-type'],
  })
  expect({
    same: tagOf('"a"', '"b", W/"a"'),
    both: tagOf('"a"', 'W/"a", "a"'),
    other: tagOf('"a"', '"b"'),
    none: tagOf('"a"', null),
  }).toEqual({ same: 'W/"a"', both: '"a"', other: '"a"', none: '"a"' })
})

test.each<[string, HeadersInput, (readonly [string, string])[]]>([
  ['Headers', new Headers({ 'X-A': '1' }), [['x-a', '1']]],
  ['pairs', [['X-A', '1']], [['X-A', '1']]],
  [
    'a record',
    { 'X-A': '1', 'x-b': 2 as never },
    [
      ['X-A', '1'],
      ['x-b', '2'],
    ],
  ],
  [
    'a record with a list',
    { 'x-a': ['1', '2'] },
    [
      ['x-a', '1'],
      ['x-a', '2'],
    ],
  ],
])('pairsOf takes %s', (_, input, expected) => {
  expect([...pairsOf(input)]).toEqual(expected)
})

test('a response of four statuses has no body', () => {
  const statuses = [undefined, 100, 101, 200, 204, 205, 206, 303, 304, 305, 404]
  expect(statuses.filter(hasNoBody)).toEqual([101, 204, 205, 304])
})

test.each(['a\rb', 'a\nb', 'a\0b'])('oneLine refuses %j', (bad) => {
  expect(() => oneLine('id', bad)).toThrow('no line break')
})

test('oneLine takes any other text, and a number', () => {
  expect([oneLine('id', 'a b'), oneLine('id', 7 as never)]).toEqual(['a b', '7'])
})
