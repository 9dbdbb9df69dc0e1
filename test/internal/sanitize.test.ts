import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CleanRules, cleanValue, createCleaner } from '../../src/internal/markup/sanitize.ts'
import { payloads } from '../browser/xss-payloads.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

const MODES: readonly [string, CleanRules][] = [
  ['strip and escape', {}],
  ['strip and escape, b i p allowed', { allowedTags: ['b', 'i', 'p'] }],
  ['strip only', { escapeHtml: false }],
  ['strip only, b i p allowed', { escapeHtml: false, allowedTags: ['b', 'i', 'p'] }],
  ['escape only', { stripTags: false }],
  ['escape only, b i p allowed', { stripTags: false, allowedTags: ['b', 'i', 'p'] }],
]

/** What is left of markup once the allowed tags, which have no attributes, are taken away. */
const markupIn = (text: string, { escapeHtml = true, allowedTags = [] }: CleanRules): string[] => {
  // A mark, not nothing, so that what stands before and after a tag does not join.
  const rest = allowedTags.length ? text.replace(/<\/?[bip]>/g, '\u0001') : text
  return rest.match(escapeHtml ? /[<>"']/g : /<[a-z!?/]/gi) ?? []
}

const clean = (text: string, rules: CleanRules = {}): string => createCleaner(rules)(text)

describe('strip, then escape', () => {
  test.each([
    ['text keeps its meaning', '1 < 2 and 3 > 2', '1 &lt; 2 and 3 &gt; 2'],
    ['text without anything special is the same', 'Grüße, 世界 👋\n\tx', 'Grüße, 世界 👋\n\tx'],
    [
      'quotes and ampersands are written as references',
      `Tom & "Jerry" & 'Co'`,
      'Tom &amp; &quot;Jerry&quot; &amp; &#39;Co&#39;',
    ],
    ['a reference is text too', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a heart', 'I <3 you', 'I &lt;3 you'],
    ['an arrow', 'a <- b => c', 'a &lt;- b =&gt; c'],
    ['tags go, their text stays', '<p>Hello <b>world</b></p>', 'Hello world'],
    ['script and style go with their code', 'a<script>x</script>b<style>y</style>c', 'abc'],
    ['the end tag of code is found in any case and with space', 'a<SCRIPT>x</ScRiPt\n>b', 'ab'],
    ['code that never ends takes the rest', 'a<script>x', 'a'],
    ['another end tag does not end code', 'a<script>"</style>"</scripty></script>b', 'ab'],
    ['a tag in a tag leaves no tag', '<<script>script>alert(1)</script>', '&lt;'],
    ['nor does one in its name', '<scr<b>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
    ['a tag that never ends goes', 'x<img src=x onerror=alert(1)', 'x'],
    ['a > in quotes does not end a tag', '<a title="x>y" b=\'>\'>z</a>', 'z'],
    ['a quote that never ends does not count', '<a title="x>y', 'y'],
    ['comments go', 'a<!-- <b>x</b> -->b', 'ab'],
    ['a comment ends at --!>', 'a<!-- x --!>b', 'ab'],
    ['comments that close at once', 'a<!-->b<!--->c', 'abc'],
    ['a comment that never ends', 'a<!-- b', 'a'],
    ['a doctype, an instruction, CDATA', '<!doctype html>a<?xml x?>b<![CDATA[c]]>d', 'abd'],
    ['ends of nothing', 'a</>b</ x>c', 'abc'],
    ['control characters go before tags are sought', '<scr\0ipt>a</script>b<\u0001b>c', 'bc'],
    ['names of Object.prototype are tags like others', '<constructor>a</constructor><valueof>b', 'ab'],
    ['nothing', '', ''],
  ])('MS4: %s', (_, text, expected) => {
    expect(clean(text)).toBe(expected)
  })
})

describe('allowed tags', () => {
  const rules = { allowedTags: ['b', 'I', 'br', 'my-tag'] }

  test.each([
    ['stay as tags, while their text is escaped', '<b>1 < 2</b>', '<b>1 &lt; 2</b>'],
    ['lose every attribute', '<b onclick=x style="y" a=">">t</b >', '<b>t</b>'],
    ['are found in any case', '<B>x</B><i>y</I>', '<b>x</b><i>y</i>'],
    ['void elements need no end', 'a<br/>b<BR>c</br>', 'a<br>b<br>c'],
    ['are closed where the text ends', '<b>x<i>y', '<b>x<i>y</i></b>'],
    ['are all closed, also the same one twice', '<b><b>x', '<b><b>x</b></b>'],
    ['are closed in the right order', '<b>x<i>y</b>z</i>', '<b>x<i>y</i></b>z'],
    ['do not close an element of the page', '</b></div>x', 'x'],
    ['are whole names', '<bx>a</bx><b\u00a0x>b', 'ab'],
    ['may have a dash', '<my-tag a=b>x</my-tag>', '<my-tag>x</my-tag>'],
    ['that never end go', 'x<b y', 'x'],
  ])('MS3: %s', (_, text, expected) => {
    expect(clean(text, rules)).toBe(expected)
  })

  test('MS3: they nest no deeper than 100', () => {
    expect(clean('<b>'.repeat(1000), rules)).toBe('<b>'.repeat(100) + '</b>'.repeat(100))
  })

  test.each([
    'script',
    'STYLE',
    'svg',
    'math',
    'iframe',
    'textarea',
    'xmp',
    'noscript',
    'plaintext',
    'b onclick',
    '<b>',
    '',
    '*',
    '__proto__',
  ])('MS3: %j is refused', (tag) => {
    expect(() => createCleaner({ allowedTags: ['b', tag] })).toThrow(
      new TypeError(
        `sanitizer: allowedTags: expected tags that can be made safe, such as "b", got ${JSON.stringify(tag)}`,
      ),
    )
  })
})

describe('one of the two', () => {
  test.each<[string, CleanRules, string, string]>([
    ['strip only keeps text as it is', { escapeHtml: false }, `1 < 2 & "3" > 2 <b>x</b>`, `1 < 2 & "3" > 2 x`],
    [
      'strip only leaves no tag where one was taken out',
      { escapeHtml: false },
      '<<b>script>alert(1)</b>',
      'script>alert(1)',
    ],
    ['strip only takes a run of < before a tag', { escapeHtml: false }, 'a <<<<i>b>', 'a b>'],
    ['strip only keeps a < at the end', { escapeHtml: false }, 'a <', 'a <'],
    ['escape only shows tags', { stripTags: false }, '<b onclick=x>', '&lt;b onclick=x&gt;'],
    [
      'escape only keeps comments and code as text',
      { stripTags: false },
      '<!-- a --><script>b</script>',
      '&lt;!-- a --&gt;&lt;script&gt;b&lt;/script&gt;',
    ],
    ['escape only keeps allowed tags', { stripTags: false, allowedTags: ['b'] }, '<b x>a<i>b', '<b>a&lt;i&gt;b</b>'],
    ['escape only keeps what never ends as text', { stripTags: false }, 'a <b c', 'a &lt;b c'],
    ['neither changes nothing', { stripTags: false, escapeHtml: false }, '<<b x>&', '<<b x>&'],
  ])('MS1: %s', (_, rules, text, expected) => {
    expect(clean(text, rules)).toBe(expected)
  })
})

describe.each(MODES)('%s', (_, rules) => {
  test(`no markup survives in any of ${payloads.length} attacks`, () => {
    expect(payloads.length).toBeGreaterThanOrEqual(500)
    const cleaner = createCleaner(rules)
    expect(payloads.filter(({ html }) => markupIn(cleaner(html), rules).length > 0)).toEqual([])
  })

  test('nor in any other text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '<b',
      '<!--',
      '-->',
      '--!>',
      '"',
      "'",
      '=',
      ' ',
      '/',
      'script',
      '<script>',
      '</script>',
      '\0',
      '&',
      'x',
      '<p a="',
    )
    const cleaner = createCleaner(rules)
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }), (pieces) => {
        expect(markupIn(cleaner(pieces.join('')), rules)).toEqual([])
      }),
      { numRuns: runs(3000) },
    )
  })

  test('tags that stay are balanced', () => {
    const piece = fc.constantFrom('<b>', '</b>', '<i x>', '</i>', '<p>', '</p>', 't', '<u>')
    const cleaner = createCleaner(rules)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const open: string[] = []
        for (const [, slash, name] of cleaner(pieces.join('')).matchAll(/<(\/?)([bip])>/g)) {
          if (slash) expect(open.pop()).toBe(name)
          else open.push(name!)
        }
        expect(open).toEqual([])
      }),
    )
  })

  test.each([
    '<',
    '<b>',
    '<b',
    '</b>',
    '<b><i>',
    '<!--',
    '<!-- -->',
    '<a "',
    '<a =" ',
    "<a=' ",
    '<a =',
    '= ',
    '&',
    '<script>',
    '<script></script>',
    '</',
    '<!',
    '<x ="">',
    '\0',
    '<p ='.padEnd(400),
  ])('time is linear: 100 kB of %j', (unit) =>
    expectLinear(100_000, (size) => unit.repeat(size / unit.length), createCleaner(rules)),
  )
})

describe('values', () => {
  const upper = (text: string): string => text.toUpperCase()
  const date = new Date(0)
  const file = new File(['x'], 'a.txt')
  class Money {
    text = 'x'
  }
  const money = new Money()

  test.each([
    ['a text', 'a', 'A'],
    ['texts deep in lists and records', { a: ['b', { c: 'd' }], e: [[['f']]] }, { A: ['B', { C: 'D' }], E: [[['F']]] }],
    [
      'numbers, booleans, null, undefined, bigints',
      [1, true, null, undefined, 1n, Number.NaN],
      [1, true, null, undefined, 1n, Number.NaN],
    ],
    ['F20: keys', { '<b>': 'x', constructor: 'y' }, { '<B>': 'X', CONSTRUCTOR: 'Y' }],
    ['F20: of keys that become equal the last counts', { a: 'x', A: 'y' }, { A: 'Y' }],
  ])('MS5: %s', (_, value, expected) => {
    expect(cleanValue(value, upper)).toEqual(expected)
  })

  test.each([
    ['a File', file],
    ['a Blob', new Blob(['x'])],
    ['a Date', date],
    ['an instance of a class', money],
    ['bytes', new Uint8Array(3)],
    ['a Map', new Map([['a', 'b']])],
    ['a function', upper],
  ])('MS5: %s stays the same object', (_, value) => {
    expect((cleanValue({ VALUE: value }, upper) as { VALUE: unknown }).VALUE).toBe(value)
  })

  test('MS5: the value given is left alone', () => {
    const given = { a: ['b'] }
    cleanValue(given, upper)
    expect(given).toEqual({ a: ['b'] })
  })

  test('MS5: a key __proto__ goes, wherever it stands, and no prototype changes', () => {
    const given = JSON.parse('{"__proto__":{"polluted":"a"},"b":{"__proto__":{"polluted":"a"},"c":"d"}}')
    const twice = (text: string): string => text.replace('d', 'D').replace('<i>', '')
    const cleaned = cleanValue(given, twice) as { b: object; polluted?: unknown }
    expect(JSON.stringify(cleaned)).toBe('{"b":{"c":"D"}}')
    expect(JSON.stringify(cleanValue({ '__pro<i>to__': { polluted: 'a' } }, twice))).toBe('{}')
    expect(cleaned.polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('MS5: a record without a prototype keeps having none', () => {
    const given = Object.assign(Object.create(null), { a: 'b' })
    expect(Object.getPrototypeOf(cleanValue(given, upper))).toBeNull()
  })

  test('MS5: cycles and shared values keep their form', () => {
    const shared = { s: 'x' }
    const given: Record<string, unknown> = { left: shared, right: shared }
    given.self = given
    const cleaned = cleanValue(given, upper) as Record<string, unknown>
    expect(cleaned.SELF).toBe(cleaned)
    expect(cleaned.LEFT).toBe(cleaned.RIGHT)
    expect(cleaned.LEFT).toEqual({ S: 'X' })
  })

  test('MS5: a list a million levels deep does not end the stack, and passes nothing uncleaned', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 1_000_000; depth++) deep = [deep]
    let level = cleanValue(deep, upper)
    let depth = 0
    for (; Array.isArray(level); depth++) level = level[0]
    expect({ depth, level }).toEqual({ depth: 100, level: null })
  })
})
