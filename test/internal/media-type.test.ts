import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseParameterized } from '../../src/internal/header/media-type.ts'
import { anyText } from '../any-text.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

describe('parseParameterized', () => {
  test.each<[string, string, { value: string; params: Record<string, string> } | undefined]>([
    ['a bare type', 'application/json', { value: 'application/json', params: {} }],
    ['case does not matter', 'Text/HTML;Charset=UTF-8', { value: 'text/html', params: { charset: 'UTF-8' } }],
    [
      'white space around the semicolon',
      ' text/html \t;\t charset=utf-8 ',
      { value: 'text/html', params: { charset: 'utf-8' } },
    ],
    ['a quoted value', 'a/b; c="d e"', { value: 'a/b', params: { c: 'd e' } }],
    ['escapes within quotes', String.raw`a/b; c="d\"\\e\f"`, { value: 'a/b', params: { c: String.raw`d"\ef` } }],
    ['an empty quoted value', 'a/b; c=""', { value: 'a/b', params: { c: '' } }],
    ['a semicolon and a comma within quotes', 'a/b; c="x;y,z"; d=1', { value: 'a/b', params: { c: 'x;y,z', d: '1' } }],
    ['empty parameters are allowed by the grammar', 'a/b;; ;c=1;', { value: 'a/b', params: { c: '1' } }],
    ['of two with one name the first counts', 'a/b; c=1; C=2', { value: 'a/b', params: { c: '1' } }],
    [
      'an unquoted boundary with signs',
      'multipart/form-data; boundary=--=_a/b:c?',
      { value: 'multipart/form-data', params: { boundary: '--=_a/b:c?' } },
    ],
    ['a structured suffix', 'application/vnd.api+json', { value: 'application/vnd.api+json', params: {} }],
    [
      'a parameter named like an inherited key',
      'a/b; __proto__=1; constructor=2',
      { value: 'a/b', params: { ['__proto__']: '1', constructor: '2' } },
    ],
    ['an empty text', '', undefined],
    ['no slash', 'json', { value: 'json', params: {} }],
    ['no subtype', 'application/', undefined],
    ['no type', '/json', undefined],
    ['two slashes', 'a/b/c', undefined],
    ['a space inside', 'a /b', undefined],
    ['two types in one field', 'a/b, c/d', undefined],
    ['a second type glued to a value', 'text/plain;charset=utf-8,application/json', undefined],
    ['a second type after a tab (CVE-2026-25223)', 'a/b\tapplication/json', undefined],
    ['a parameter without a value', 'a/b; c', undefined],
    ['a parameter with an empty unquoted value', 'a/b; c=', undefined],
    ['a space around the equals sign', 'a/b; c = d', undefined],
    ['a quote that is never closed', 'a/b; c="d', undefined],
    ['text after the closing quote', 'a/b; c="d"e', undefined],
    ['a quote in the middle of a value', 'a/b; c=d"e"', undefined],
    ['a line end', 'a/b\n; c=d', undefined],
  ])('%s', (_, header, expected) => {
    const parsed = parseParameterized(header)
    expect(parsed && { value: parsed.value, params: { ...parsed.params } }).toEqual(expected)
    if (parsed) expect(Object.getPrototypeOf(parsed.params)).toBeNull()
  })

  test('media types that follow the grammar are parsed back to the same names and values', () => {
    const token = fc.stringMatching(/^[a-z0-9!#$&^_.+-]{1,12}$/)
    const text = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 20,
    })
    fc.assert(
      fc.property(
        token,
        token,
        fc.uniqueArray(fc.tuple(token, text), { selector: ([name]) => name }),
        (type, subtype, pairs) => {
          const header = `${type}/${subtype}${pairs.map(([name, value]) => `; ${name}="${value.replace(/[\\"]/g, '\\$&')}"`).join('')}`
          const parsed = parseParameterized(header)
          expect(parsed?.value).toBe(`${type}/${subtype}`)
          expect(Object.entries(parsed!.params)).toEqual(expect.arrayContaining(pairs))
          expect(Object.keys(parsed!.params)).toHaveLength(pairs.length)
        },
      ),
    )
  })

  test('no text at all makes it throw', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        const parsed = parseParameterized(text)
        if (parsed) expect(parsed.value).toMatch(/^[^\s;,"]+$/)
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('time grows with length and no faster', () => {
  test.each([
    ['semicolons', ';'],
    ['semicolons after a type', 'a/b;', ';'],
    ['spaces', 'a/b; ', ' '],
    ['escapes that never close', 'a/b; c="', '\\"'],
    ['equals signs', 'a/b; c=', '=;'],
    ['parameters', 'a/b', '; c=d'],
    ['slashes', 'a', '/'],
  ])('1 MB of %s is read in linear time', (_, head, unit = head) =>
    expectLinear(1_000_000, (size) => head + unit.repeat(size / unit.length), parseParameterized),
  )
})
