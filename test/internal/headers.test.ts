import { describe, expect, test } from 'vitest'
import { isFieldValue, isToken } from '../../src/internal/header/field-name.ts'

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
      expect([code, isToken(name)]).toEqual([code, accepts(() => new Headers([[name, 'v']]))])
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

  test('never says yes to what the platform refuses', () => {
    for (let code = 0; code < 300; code++) {
      const value = `x${String.fromCharCode(code)}x`
      if (isFieldValue(value)) expect([code, accepts(() => new Headers([['name', value]]))]).toEqual([code, true])
    }
  })
})

const accepts = (act: () => unknown): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}
