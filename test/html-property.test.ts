import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { html } from '../src/html.ts'
import { jsx } from '../src/jsx-runtime.ts'
import { anyText } from './any-text.ts'
import { payloads } from './browser/xss-payloads.ts'
import { runs } from './fuzz.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

const isElement = (node: Node): node is Element => 'tagName' in node

/** All elements of a document, in order. */
const elementsOf = (node: Node): Element[] => {
  const content = 'content' in node ? [node.content] : []
  const children = 'childNodes' in node ? node.childNodes : content
  return [...(isElement(node) ? [node] : []), ...[...children, ...content].flatMap(elementsOf)]
}

const parsed = (markup: unknown, scriptingEnabled = false): Element[] =>
  elementsOf(parse(String(markup), { scriptingEnabled }))

/** What a value must not change: the elements, and the names of their attributes. */
const structureOf = (elements: readonly Element[]): string[] =>
  elements.map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)].join(' '))

const find = (elements: readonly Element[], tag: string): Element => elements.find(({ tagName }) => tagName === tag)!
const textOf = (element: Element): string =>
  element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
const attributeOf = (element: Element, named: string): string | undefined =>
  element.attrs.find(({ name }) => name === named)?.value

/** Any text, texts with what means something in HTML, and attacks. */
const value = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(...`<>"'&=/!-; \t\n\r\0\fab:#x`, '&lt;', '&#', '</', '<!--', '-->', ']]>', 'script'),
  }),
  fc.constantFrom(...payloads.map((payload) => payload.html)),
)

/** As a browser has it: there is no NUL. */
const kept = (text: string): string => text.replaceAll('\0', '\ufffd')

describe('MX16: whatever goes in, the document has the same elements, and the values are in their places', () => {
  test('a template', () => {
    const make = (a: string, b: string, c: string): unknown =>
      html`<!doctype html><title>${a}</title><body><p title="${b}" lang='${c}' data-a=${a}>x${b}</p><pre>${c}</pre><textarea>${a}</textarea>`
    const structure = structureOf(parsed(make('x', 'x', 'x')))
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const elements = parsed(make(a, b, c))
        expect(structureOf(elements)).toEqual(structure)
        const p = find(elements, 'p')
        expect({
          title: textOf(find(elements, 'title')),
          quoted: attributeOf(p, 'title'),
          single: attributeOf(p, 'lang'),
          whole: attributeOf(p, 'data-a'),
          text: textOf(p),
          pre: textOf(find(elements, 'pre')),
          textarea: textOf(find(elements, 'textarea')),
        }).toEqual({
          title: kept(a),
          quoted: kept(b),
          single: kept(c),
          whole: kept(a),
          text: `x${kept(b)}`,
          pre: kept(c),
          textarea: kept(a),
        })
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('JSX', () => {
    const make = (a: string, b: string): unknown =>
      jsx('html', {
        children: jsx('p', { title: a, 'data-b': b, children: ['x', a, jsx('textarea', { children: b })] }),
      })
    const structure = structureOf(parsed(make('x', 'x')))
    fc.assert(
      fc.property(value, value, (a, b) => {
        const elements = parsed(make(a, b))
        expect(structureOf(elements)).toEqual(structure)
        const p = find(elements, 'p')
        expect({
          title: attributeOf(p, 'title'),
          data: attributeOf(p, 'data-b'),
          text: textOf(p),
          textarea: textOf(find(elements, 'textarea')),
        }).toEqual({ title: kept(a), data: kept(b), text: `x${kept(a)}`, textarea: kept(b) })
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('JSON in a script comes back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value, (json, text) => {
        const data = { json, text }
        const script = find(parsed(html`<script type="application/json">${data}</script>`), 'script')
        expect(JSON.parse(textOf(script))).toEqual(JSON.parse(JSON.stringify(data)))
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('a URL goes nowhere but to allowed schemes', () => {
    const part = fc.oneof(
      value,
      fc.string({
        unit: fc.constantFrom(...'javscript:data/?#&;\\ \t\n\0\x01', 'javascript:', '&colon;', '&Tab;', 'https:'),
      }),
    )
    fc.assert(
      fc.property(part, part, (a, b) => {
        for (const markup of [html`<a href="${a}${b}">`, html`<a href=${a + b}>`, jsx('a', { href: a + b })]) {
          const href = attributeOf(find(parsed(markup), 'a'), 'href')!
          expect([kept(a + b), 'about:invalid']).toContain(href)
          const url = URL.parse?.(href, 'http://h/') ?? { protocol: 'http:' }
          expect([
            'http:',
            'https:',
            'mailto:',
            'tel:',
            'sms:',
            'ftp:',
            ...(href === 'about:invalid' ? ['about:'] : []),
          ]).toContain(url.protocol)
        }
      }),
      { numRuns: runs(20_000) },
    )
  })
})

/** What templates are made of, many of them odd. */
const fragment = fc.constantFrom(
  ...[
    '<p>',
    '<p ',
    '<a href=',
    '<a href="',
    ' title=',
    ' title="',
    " lang='",
    '"',
    "'",
    '>',
    '/>',
    '/',
    '=',
    ' ',
    '\n',
    'x',
    '&',
  ],
  ...[
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!doctype html>',
    '<?x',
    '<![CDATA[',
    ']]>',
    '<',
    '</',
    '</p>',
    '<b>',
    '</b>',
    '<table>',
  ],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<textarea>',
    '</textarea>',
    '<title>',
    '</title>',
    '<xmp>',
    '</xmp>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '<mtext>',
    '<noscript>',
    '</noscript>',
    '<iframe>',
    '</iframe>',
    '<select>',
    '<template>',
    '<plaintext>',
  ],
  ...[
    '<script type="text/json">',
    '<title/>',
    '<svg><style>',
    ' onclick="',
    ' style="',
    '<input ',
    '<td>',
    '<tr ',
    'a b',
  ],
)

test('MX16: in every template that is accepted, no value changes the structure', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fragment, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
      value,
      fc.boolean(),
      (given, hostile, scripting) => {
        const make = (text: string): string | undefined => {
          const strings = Object.assign([...given], { raw: given })
          try {
            return String(html(strings, ...given.slice(1).map(() => text)))
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError)
            return undefined
          }
        }
        const plain = make('x')
        if (plain === undefined) return
        accepted++
        expect(structureOf(parsed(make(`x${hostile}`), scripting))).toEqual(structureOf(parsed(plain, scripting)))
      },
    ),
    { numRuns: runs(200_000) },
  )
  expect(accepted).toBeGreaterThan(runs(200_000) / 50)
})
