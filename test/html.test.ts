import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { html, raw } from '../src/html.ts'
import { expectLinear } from './growth.ts'

const ODD = `<'"&>`
const ESCAPED = '&lt;&#39;&quot;&amp;&gt;'

describe('MX16: what a value becomes, by the place where it stands', () => {
  test.each([
    ['text', html`<p>${ODD}</p>`, `<p>${ESCAPED}</p>`],
    ['a number', html`<p>${0}</p>`, '<p>0</p>'],
    ['undefined', html`<p>${undefined}</p>`, '<p></p>'],
    ['null', html`<p>${null}</p>`, '<p></p>'],
    ['false', html`<p>${false}</p>`, '<p></p>'],
    ['true in text', html`<p>${true}</p>`, '<p></p>'],
    ['an empty text', html`<p>${''}</p>`, '<p></p>'],
    ['a list', html`<p>${['a', ODD, 1, null, ['b']]}</p>`, `<p>a${ESCAPED}1b</p>`],
    ['an empty list', html`<p>${[]}</p>`, '<p></p>'],
    ['a set', html`<p>${new Set(['a', '<'])}</p>`, '<p>a&lt;</p>'],
    ['a URL object', html`<p>${new URL('http://h/?a&b')}</p>`, '<p>http://h/?a&amp;b</p>'],
    ['markup', html`<p>${html`<b>${ODD}</b>`}</p>`, `<p><b>${ESCAPED}</b></p>`],
    ['a list of markup', html`<ul>${['a', '<'].map((each) => html`<li>${each}`)}</ul>`, '<ul><li>a<li>&lt;</ul>'],
    ['trusted markup', html`<p>${raw('<b>x</b>')}</p>`, '<p><b>x</b></p>'],
    ['an object that looks like markup', html`${{ toBody: '<b>', parts: ['<b>'] }}`, '[object Object]'],
    ['nothing at all', html``, ''],
    ['a value alone', html`${ODD}`, ESCAPED],
    ['values next to each other', html`${'<'}${'>'}`, '&lt;&gt;'],
    ['CR, which a parser would make LF', html`<p>${'a\rb'}`, '<p>a&#13;b'],
    ['NUL, which no HTML can hold', html`<p>${'a\0b'}`, '<p>a&#0;b'],
    ['title', html`<title>${'</title><script>'}</title>`, '<title>&lt;/title&gt;&lt;script&gt;</title>'],
    ['textarea: a line break at the start stays', html`<textarea>${'\nx'}</textarea>`, '<textarea>\n\nx</textarea>'],
    ['a doctype and a comment before it', html`<!doctype html><!-- > --><p>${'<'}`, '<!doctype html><!-- > --><p>&lt;'],
    ['a < that is text', html`<p>a < b ${'<'} <3 ${'>'}`, '<p>a < b &lt; <3 &gt;'],
    ['behind comments that end early', html`<!--><p>${'<'}<!---><p>${'<'}`, '<!--><p>&lt;<!---><p>&lt;'],

    ['a quoted value', html`<p title="a ${ODD} b">`, `<p title="a ${ESCAPED} b">`],
    ['single quotes', html`<p title='${ODD}'>`, `<p title='${ESCAPED}'>`],
    ['white space around =', html`<p title = "${ODD}">`, `<p title = "${ESCAPED}">`],
    ['two values', html`<p title="${'a'}-${'b'}" lang="${'c'}">x`, '<p title="a-b" lang="c">x'],
    ['nothing in quotes', html`<p title="${null}${undefined}${false}">`, '<p title="">'],
    ['true in quotes', html`<p aria-busy="${true}">`, '<p aria-busy="true">'],
    ['a list in quotes', html`<p class="${['a', false, ODD]}">`, `<p class="a ${ESCAPED}">`],
    ['markup in quotes is text', html`<p title="${html`<b>`}">`, '<p title="&lt;b&gt;">'],
    ['trusted text in quotes cannot end them', html`<p title="${raw('"><b>')}">`, '<p title="&quot;&gt;&lt;b&gt;">'],
    ['a > in a quoted value', html`<p title=">" lang="${'x'}">${'<'}`, '<p title=">" lang="x">&lt;'],
    ['a quote in a name', html`<p a"b title="${'x'}">`, '<p a"b title="x">'],
    ['an end tag with attributes', html`</p title="<">${'<'}`, '</p title="<">&lt;'],

    ['a whole attribute gets quotes', html`<p title=${ODD} lang=x>`, `<p title="${ESCAPED}" lang=x>`],
    ['at the end of the tag', html`<p title=${'a b'}>x`, '<p title="a b">x'],
    ['of a tag that closes itself', html`<br title=${'a'}/>`, '<br title="a"/>'],
    ['true: the name', html`<input disabled=${true}>`, '<input disabled>'],
    ['false: nothing', html`<input disabled=${false}>`, '<input>'],
    ['null: nothing', html`<input value=${null}>`, '<input>'],
    ['undefined: nothing', html`<input value=${undefined} x>`, '<input x>'],
    ['an empty text: empty', html`<input value=${''}>`, '<input value="">'],
    ['true of aria-', html`<p aria-busy=${true}>`, '<p aria-busy="true">'],
    ['false of data-', html`<p data-open=${false}>`, '<p data-open="false">'],
    ['null of aria-: nothing', html`<p aria-label=${null}>`, '<p>'],
    ['a name with data- inside it', html`<p x-data-open=${true}>`, '<p x-data-open>'],
    ['an attribute that begins as srcdoc', html`<p srcdocs="${'a'}">`, '<p srcdocs="a">'],

    ['a handler that is trusted', html`<p onclick="${raw('go("<")')}">`, '<p onclick="go(&quot;&lt;&quot;)">'],
    ['srcdoc that is trusted', html`<iframe srcdoc=${raw('<p>')}></iframe>`, '<iframe srcdoc="&lt;p&gt;"></iframe>'],
    ['style that is trusted', html`<style>${raw('a>b{}')}</style>`, '<style>a>b{}</style>'],
    ['script that is trusted', html`<script>${raw('a<b')}</script>`, '<script>a<b</script>'],
    ['nothing in a script', html`<script>${null}</script>`, '<script></script>'],
    [
      'JSON in a script that is data',
      html`<script type="application/json">${{ a: `</script><!--&\u2028`, b: [1, null] }}</script>${'<'}`,
      '<script type="application/json">{"a":"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028","b":[1,null]}</script>&lt;',
    ],
    [
      'trusted JSON',
      html`<script type="application/json">${raw('{"a":1}')}</script>`,
      '<script type="application/json">{"a":1}</script>',
    ],
    ['an element whose name begins as one of code', html`<style-guide>${'<'}`, '<style-guide>&lt;'],
    ['an element whose name begins as pre', html`<preview>${'\n'}`, '<preview>\n'],
    ['an element whose name ends as pre', html`<x-pre>${'\n'}`, '<x-pre>\n'],
    ['an element whose name begins as title', html`<title-bar><b>${'<'}`, '<title-bar><b>&lt;'],
    [
      'behind a processing instruction and an odd end tag',
      html`<?xml a="1"?></ p a>${'<'}`,
      '<?xml a="1"?></ p a>&lt;',
    ],
    [
      'white space between attributes',
      html`<p  lang=x
 title="${'<'}">`,
      '<p  lang=x\n title="&lt;">',
    ],
    [
      'an attribute behind a line break',
      html`<p
title=${'a'}>`,
      '<p\n title="a">',
    ],
    ['an element whose name ends as svg', html`<x-svg><style>a<b${null}</style>`, '<x-svg><style>a<b</style>'],
    ['an element whose name begins as svg', html`<svgs><style>a<b${null}</style>`, '<svgs><style>a<b</style>'],
    [
      'JSON behind another attribute',
      html`<script id=a type=text/json>${1}</script>`,
      '<script id=a type=text/json>1</script>',
    ],
    ['JSON of undefined', html`<SCRIPT TYPE=text/json>${undefined}</SCRIPT>`, '<SCRIPT TYPE=text/json>null</SCRIPT>'],
    [
      'JSON-LD',
      html`<script type='application/ld+json'>${[1]}</script>`,
      "<script type='application/ld+json'>[1]</script>",
    ],
  ])('%s', (_, markup, expected) => expect(String(markup)).toBe(expected))
})

describe('MX16: URLs', () => {
  test.each([
    ['https://a.example/?a=1&b=2', 'https://a.example/?a=1&amp;b=2'],
    ['HTTP://a.example', 'HTTP://a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['tel:+49', 'tel:+49'],
    ['/a:b', '/a:b'],
    ['?a:b', '?a:b'],
    ['#a:b', '#a:b'],
    ['a/b:c', 'a/b:c'],
    ['//a.example', '//a.example'],
    ['a', 'a'],
    ['', ''],
    ['ht\ntps://a.example', 'ht\ntps://a.example'],
    ['a&colon;b', 'a&amp;colon;b'],
  ])('%j stays', (url, expected) => {
    expect(String(html`<a href="${url}">`)).toBe(`<a href="${expected}">`)
    expect(String(html`<a href=${url}>`)).toBe(`<a href="${expected}">`)
  })

  const refused = [
    'javascript:x',
    'JaVaScRiPt:x',
    ' javascript:x',
    '\0\x01\x1f javascript:x',
    'java\tscr\r\nipt:x',
    'javascript :x',
    'java&Tab;script:x',
    'javascript://%0ax',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'view-source:x',
    'file:///etc/passwd',
    'unknown:x',
    ':x',
    'java\\script:x',
  ]
  test.each(refused)('%j is refused', (url) => {
    expect(String(html`<a href="${url}">`)).toBe('<a href="about:invalid">')
    expect(String(html`<a href=${url}>`)).toBe('<a href="about:invalid">')
    const [first, rest] = [url.slice(0, 3), url.slice(3)]
    expect(String(html`<a href='${first}${rest}'>`)).toBe("<a href='about:invalid'>")
  })

  test.each([
    ['href', html`<a href="${'x:y'}">`],
    ['upper case', html`<A HREF="${'x:y'}">`],
    ['src', html`<img src="${'x:y'}">`],
    ['action', html`<form action="${'x:y'}">`],
    ['formaction', html`<button formaction="${'x:y'}">`],
    ['data of object', html`<object data="${'x:y'}">`],
    ['poster', html`<video poster="${'x:y'}">`],
    ['srcset', html`<img srcset="${'x:y'}">`],
    ['ping', html`<a ping="${'x:y'}">`],
    ['xlink:href', html`<svg><a xlink:href="${'x:y'}">`],
    ['background', html`<body background="${'x:y'}">`],
    ['a scheme of the template', html`<a href="javascript:${'1'}">`],
    ['a scheme that comes in halves', html`<a href="java${'script:1'}">`],
    ['an entity of the template', html`<a href="javascript&colon;${'1'}">`],
    ['a coded letter in the template', html`<a href="&#106;avascript:${'1'}">`],
    ['a colon behind the value', html`<a href="${'javascript'}:1">`],
    ['an entity behind the value', html`<a href="${'javascript'}&colon;1">`],
    ['trusted and not trusted', html`<a href="${'javascript:'}${raw('x')}">`],
    ['in a list', html`<a href="${['javascript:x']}">`],
    ['behind a comment', html`<!-- a --><a href="${'javascript:x'}">`],
    ['behind a quoted >', html`<a title=">" href="${'javascript:x'}">`],
    ['an object', html`<a href="${{ toString: () => 'javascript:x' }}">`],
  ])('%s is looked at', (_, markup) => expect(String(markup)).toContain('="about:invalid"'))

  test.each([
    ['a path of the template', html`<a href="/users/${'a:b'}">`, '<a href="/users/a:b">'],
    ['a query', html`<a href="${'/x?a=1'}&amp;b=${'x:y'}">`, '<a href="/x?a=1&amp;b=x:y">'],
    ['trusted data', html`<img src="${raw('data:image/png;base64,AA')}">`, '<img src="data:image/png;base64,AA">'],
    ['another attribute', html`<p title="${'javascript:x'}">`, '<p title="javascript:x">'],
    ['data-href', html`<p data-href="${'x:y'}">`, '<p data-href="x:y">'],
    ['a scheme in halves', html`<a href="${'https'}${'://a'}">`, '<a href="https://a">'],
  ])('%s is fine', (_, markup, expected) => expect(String(markup)).toBe(expected))
})

describe('MX16: styles', () => {
  test.each([
    ['a number', html`<p style="width: ${50}%">`, '<p style="width: 50%">'],
    ['a colour', html`<p style="color: ${'#fff'}">`, '<p style="color: #fff">'],
    ['a second declaration', html`<p style="color: ${'red;top:0'}">`, '<p style="color: invalid">'],
    ['a URL', html`<p style="color: ${'url(//x)'}">`, '<p style="color: invalid">'],
    ['a comment', html`<p style="color: ${'red/*'}">`, '<p style="color: invalid">'],
    ['a quote', html`<p style="color: ${`'`}">`, '<p style="color: invalid">'],
    ['an escape', html`<p style="color: ${'\\3b'}">`, '<p style="color: invalid">'],
    ['a record', html`<p style=${{ fontSize: '2em', '--a': 1, top: null }}>`, '<p style="font-size:2em;--a:1">'],
    [
      'a record with other names',
      html`<p style="${{ 'a:b;c': '1', top: 'a(b)' }}">`,
      '<p style="invalid:1;top:invalid">',
    ],
    ['trusted', html`<p style="${{ width: raw('calc(1% + 2px)') }}">`, '<p style="width:calc(1% + 2px)">'],
    [
      'what an animation sets',
      html`<set attributeName=href to="${'javascript:x'}">`,
      '<set attributeName=href to="invalid">',
    ],
    ['values of an animation', html`<animate values="0;${1}">`, '<animate values="0;1">'],
    ['a URL in an animation', html`<animate to="${'url(x)'}">`, '<animate to="invalid">'],
    ['a URL in an animation of a longer name', html`<animateMotion by="${'url(x)'}">`, '<animateMotion by="invalid">'],
    ['an element whose name ends in set', html`<x-set to="${'a(b)'}">`, '<x-set to="a(b)">'],
    ['an attribute that begins as to', html`<set tooltip="${'a(b)'}">`, '<set tooltip="a(b)">'],
    ['an attribute that begins as style', html`<p style-of="${'a(b)'}">`, '<p style-of="a(b)">'],
    ['from elsewhere', html`<x-mail from="${'a: b'}">`, '<x-mail from="a: b">'],
  ])('%s', (_, markup, expected) => expect(String(markup)).toBe(expected))
})

describe('MX16: places without values are refused, with the text before them', () => {
  const code = /expected raw/
  test.each([
    ['the name of a tag', () => html`<${'b'}>`, /a value is not allowed in a comment or the name of a tag: "<"/],
    ['the end of the name of a tag', () => html`<b${'r'}>`, /the name of an attribute: "<b"/],
    ['the name of an end tag', () => html`</${'b'}>`, /name of a tag/],
    ['the name of an attribute', () => html`<p ${'title'}="x">`, /name of an attribute/],
    ['all attributes', () => html`<p ${raw('title="x"')}>`, /name of an attribute/],
    ['half a name', () => html`<p on${'click'}="x">`, /name of an attribute/],
    ['behind a name', () => html`<p title ${'x'}>`, /name of an attribute/],
    ['behind an attribute', () => html`<p title="x"${'x'}>`, /name of an attribute/],
    ['half an unquoted value', () => html`<p title=a${'b'}>`, /title=a, which needs quotes/],
    ['a value with more behind it', () => html`<p title=${'a'}b>`, /title, which needs quotes/],
    ['two values without quotes', () => html`<p title=${'a'}${'b'}>`, /title, which needs quotes/],
    ['a URL with a path behind it', () => html`<a href=${'a'}/b>`, /href, which needs quotes/],
    ['a comment', () => html`<!-- ${'a'} -->`, /comment/],
    ['a comment with a tag in it', () => html`<!-- <p> ${'a'} -->`, /comment/],
    ['the start of a comment', () => html`<!-${'-'}`, /comment/],
    ['a doctype', () => html`<!doctype ${'html'}>`, /comment/],
    ['a processing instruction', () => html`<?xml ${'a'}>`, /comment/],
    ['an odd end tag', () => html`</ ${'a'}>`, /comment/],
    ['a handler', () => html`<p onclick="go(${1})">`, /onclick: expected raw/],
    ['a handler in upper case', () => html`<p ONCLICK=${'go()'}>`, code],
    ['a handler that is a function', () => html`<p onclick=${() => {}}>`, code],
    ['srcdoc', () => html`<iframe srcdoc="${'<p>'}"></iframe>`, code],
    ['a script', () => html`<script>let a = ${1}</script>`, /script: expected raw/],
    ['markup in a script', () => html`<script>${html`1`}</script>`, code],
    ['a module', () => html`<script type="module">${'a'}</script>`, code],
    ['another attribute with the type of JSON', () => html`<script id="text/json">${{}}</script>`, code],
    ['an attribute that ends as type', () => html`<script data-type="text/json">${{}}</script>`, code],
    ['an attribute that begins as type', () => html`<script types="text/json">${{}}</script>`, code],
    [
      'a type that is a value, and ends as JSON',
      () => html`<script type="${'x'}              text/json">${{}}</script>`,
      code,
    ],
    ['a type that ends as JSON', () => html`<script type="x-text/json">${'a'}</script>`, code],
    ['a type that begins as JSON', () => html`<script type="text/json5">${'a'}</script>`, code],
    ['a style with the type of JSON', () => html`<style type="text/json">${'a'}</style>`, code],
    ['an import map', () => html`<script type="importmap">${{}}</script>`, code],
    ['a script whose type is a value', () => html`<script type="${'x'}" type="text/json">${{}}</script>`, code],
    ['a style', () => html`<style>p { color: ${'red'} }</style>`, /style: expected raw/],
    ['xmp', () => html`<xmp>${'a'}</xmp>`, code],
    ['iframe', () => html`<iframe>${'a'}</iframe>`, code],
    ['noembed', () => html`<noembed>${'a'}</noembed>`, code],
    ['noframes', () => html`<noframes>${'a'}</noframes>`, code],
    ['<!-- in a script', () => html`<script><!-- <script> </script>${'a'}`, /script with <!-- in it/],
    ['data with < before it', () => html`<math><script type="text/json"><p ${'x'}</script>`, /script with < in it/],
    ['markup in a style of SVG', () => html`<svg><style><p </style>${'x'}`, /style with < in it/],
    ['a script without an end tag', () => html`<script src="x"/>${'a'}`, /needs an end tag/],
    ['a title without an end tag', () => html`<title/><a href="${'a'}</title>`, /needs an end tag/],
    ['a tag in a title', () => html`<title><a href="${'javascript:a'}</title>`, /title with < in it/],
    ['a tag in a textarea', () => html`<textarea><p>${'a'}</textarea>`, /textarea with < in it/],
    ['a function', () => html`<p>${() => 'a'}`, /got a function/],
  ])('%s', (_, make, message) => expect(make).toThrow(message))

  test.each([
    ['<', () => html`a <`],
    ['a tag', () => html`<p title="x"`],
    ['the name of a tag', () => html`<p`],
    ['a quoted value', () => html`<p title="`],
    ['a quoted value behind a value', () => html`<p title="${'a'}`],
    ['an attribute', () => html`<p title=`],
    ['a comment', () => html`<!-- a`],
    ['a script', () => html`<script>`],
    ['a script whose end tag has a longer name', () => html`<script></scripts>`],
    ['plaintext', () => html`<plaintext>a`],
  ])('a template that ends in %s', (_, make) => expect(make).toThrow(/the end of the template|is not allowed in/))

  test.each([
    ['an attribute', () => html`<p title=`, 'the end of the template is not allowed in an attribute: "<p title="'],
    [
      'a quoted value',
      () => html`<p title="${'a'}`,
      'the end of the template is not allowed in the value of title: ""',
    ],
  ])('the message for %s names the place', (_, make, message) => expect(make).toThrow(message))

  test('U+0000 of a template is removed, and does not count as a value', () =>
    expect(String(html`<sc\0ript>${raw('a')}\0</script>${'b'}\0`)).toBe('<script>a</script>b'))

  test('a template with an invalid escape is refused', () =>
    expect(() => html(Object.assign([undefined], { raw: ['\\u'] }) as never)).toThrow(TypeError))

  test.each([[['<p>', '</p>']], ['<p>'], [undefined], [{ raw: [] }]])('%j is not a template', (given) =>
    expect(() => html(given as never)).toThrow(/expected a template, as in html`<p>`/),
  )
})

describe('MX16: reading a template is linear', () => {
  const read = (strings: TemplateStringsArray): void => {
    try {
      html(strings, 'x')
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError)
    }
  }
  test.each(['<p a="', '<', '<a ', ' ', '<!-', '<!----!', '=', '/', "<p a='' ", '<p>', '<script>', '</'])(
    '%j',
    (text) =>
      expectLinear(
        200_000,
        (size) => {
          const strings = [text.repeat(size / text.length), '']
          return Object.assign(strings, { raw: strings })
        },
        // A list of its own for each time: a template is read once
        (strings) => read(Object.assign([...strings], { raw: strings.raw })),
      ),
  )
})

test('MX16: a template is read once', () => {
  let reads = 0
  const strings = Object.assign(['', '</p>'], { raw: [] })
  Object.defineProperty(strings, 0, {
    get: () => {
      reads++
      return '<p>'
    },
  })
  expect(String(html(strings, 'a'))).toBe('<p>a</p>')
  const before = reads
  expect(before).toBeGreaterThan(0)
  expect(String(html(strings, 'b'))).toBe('<p>b</p>')
  expect(reads).toBe(before)
})

test('MX16: over a socket, a promise that fails breaks the connection', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const fail = async (): Promise<never> => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    throw new Error('no')
  }
  const app = createApp().get('/', (ctx) => ctx.html(html`<p>${fail()}</p>`))
  const server = await app.listen({ port: 0 })
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}/`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  } finally {
    await server.close()
    vi.restoreAllMocks()
  }
})

test.each([
  ['a line break that PRE would drop is doubled', () => html`<PRE>${'\nx'}</PRE>`, '<PRE>\n\nx</PRE>'],
  ['ARIA- attributes get "true"', () => html`<p ARIA-HIDDEN=${true}>`, '<p ARIA-HIDDEN="true">'],
  [
    'a script of Application/JSON takes values',
    () => html`<SCRIPT TYPE="Application/JSON">${{ a: 1 }}</SCRIPT>`,
    '<SCRIPT TYPE="Application/JSON">{"a":1}</SCRIPT>',
  ],
])('MX16: names in capitals: %s', (_, make, expected) => expect(String(make())).toBe(expected))
