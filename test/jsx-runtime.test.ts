import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { raw } from '../src/html.ts'
import { jsxDEV } from '../src/jsx-dev-runtime.ts'
import { Fragment, jsx, jsxs } from '../src/jsx-runtime.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = `${root}test/jsx/page.tsx`

const ODD = `<'"&>`
const ESCAPED = '&lt;&#39;&quot;&amp;&gt;'

describe('MX16: elements', () => {
  test.each([
    ['text', jsx('p', { children: ODD }), `<p>${ESCAPED}</p>`],
    ['several children', jsxs('p', { children: ['a', 1, null, true, jsx('b', {})] }), '<p>a1<b></b></p>'],
    ['attributes', jsx('p', { title: ODD, lang: 'en' }), `<p title="${ESCAPED}" lang="en"></p>`],
    ['without content', jsx('br', {}), '<br>'],
    [
      'true, false, null',
      jsx('input', { disabled: true, checked: false, value: null, name: undefined }),
      '<input disabled>',
    ],
    ['aria and data', jsx('p', { 'aria-busy': false, 'data-a': true }), '<p aria-busy="false" data-a="true"></p>'],
    ['names of React', jsx('label', { className: ['a', 'b'], htmlFor: 'c' }), '<label class="a b" for="c"></label>'],
    ['a style', jsx('p', { style: { fontSize: '2em', color: 'a(b)' } }), '<p style="font-size:2em;color:invalid"></p>'],
    ['a URL', jsx('a', { href: 'javascript:x' }), '<a href="about:invalid"></a>'],
    [
      'a URL in other case',
      jsx('button', { formAction: 'javascript:x' }),
      '<button formAction="about:invalid"></button>',
    ],
    ['a trusted URL', jsx('img', { src: raw('data:x') }), '<img src="data:x">'],
    ['a trusted handler', jsx('p', { onclick: raw('go()') }), '<p onclick="go()"></p>'],
    ['a trusted script', jsx('script', { children: raw('a<b') }), '<script>a<b</script>'],
    ['trusted styles', jsxs('style', { children: [raw('a{}'), null, raw('b{}')] }), '<style>a{}b{}</style>'],
    ['a script with an address', jsx('script', { src: '/a.js' }), '<script src="/a.js"></script>'],
    ['html has its doctype', jsx('html', { children: 'a' }), '<!doctype html><html>a</html>'],
    ['a line break stays', jsx('textarea', { children: '\na' }), '<textarea>\n\na</textarea>'],
    ['a fragment', jsx(Fragment, { children: ['a', jsx('b', {})] }), 'a<b></b>'],
    ['a component', jsx(({ name }) => jsx('b', { children: name }), { name: '<' }), '<b>&lt;</b>'],
    ['a component of text', jsx(() => '<', {}), '&lt;'],
    ['a component of nothing', jsx(() => null, {}), ''],
    ['a custom element', jsx('x-a', { 'x:y': 1 }), '<x-a x:y="1"></x-a>'],
    ['a name that begins as one without content', jsx('link-list', { children: 'a' }), '<link-list>a</link-list>'],
    ['names with html in them', [jsx('x-html', {}), jsx('html-x', {})].join(''), '<x-html></x-html><html-x></html-x>'],
  ])('%s', (_, markup, expected) => expect(String(markup)).toBe(expected))

  test.each([
    ['a handler', () => jsx('p', { onclick: 'go()' }), /onclick: expected raw/],
    ['a handler of React', () => jsx('p', { onClick: () => {} }), /onClick: expected raw/],
    ['a script', () => jsx('script', { children: 'a' }), /script: expected raw/],
    ['a style', () => jsx('STYLE', { children: 'a' }), /STYLE: expected raw/],
    ['srcdoc', () => jsx('iframe', { srcDoc: '<p>' }), /srcDoc: expected raw/],
    ['a tag with space', () => jsx('b onclick=x', {}), /bad name "b onclick=x"/],
    ['a tag that ends', () => jsx('b><i', {}), /bad name/],
    ['an empty tag', () => jsx('', {}), /bad name ""/],
    ['an attribute with space', () => jsx('b', { 'a onclick': 'x' }), /bad name "a onclick"/],
    ['an attribute with =', () => jsx('b', { 'a=b': true }), /bad name/],
    ['an attribute that ends the tag', () => jsx('b', { 'a><script': true }), /bad name/],
    ['a function as content', () => jsx('b', { children: () => 'x' }), /got a function/],
  ])('%s is refused', (_, make, message) => expect(make).toThrow(message))

  test('development has the same function', () => expect(jsxDEV).toBe(jsx))
})

const bundling = {
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  conditions: ['sluice-source'],
  alias: { sluice: `${root}src` },
  resolveExtensions: ['.ts'],
  tsconfigRaw: '{}',
  jsx: 'automatic',
  jsxImportSource: 'sluice',
} as const satisfies BuildOptions

/** Import what was compiled. */
const load = async (code: string): Promise<any> => {
  // any: whatever it exports
  const file = `${root}test/jsx/.made-${randomUUID()}.mjs`
  writeFileSync(file, code)
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } finally {
    rmSync(file)
  }
}

const PAGE =
  '<!doctype html><html lang="en"><title>A &lt; B</title><main><ul><li class="item">&lt;b&gt;</li><li class="item">c</li>' +
  '</ul><img src="about:invalid" alt="&lt;b&gt;" hidden><b>&lt;b&gt;</b><hr></main></html>'

describe('MX16: a page in JSX', () => {
  test.each([
    ['production', false],
    ['development', true],
  ])('esbuild, for %s', async (_, jsxDev) => {
    const { outputFiles } = await build({ entryPoints: [source], ...bundling, jsxDev })
    const { page } = await load(outputFiles[0]!.text)
    expect(await page(['<b>', 'c']).text()).toBe(PAGE)
  })
})

test('MX16: the block of docs/html.md responds as the page says', async () => {
  const page = readFileSync(`${root}docs/html.md`, 'utf8')
  const [, block = ''] = /```tsx\n([\s\S]*?)```/.exec(page)!
  const [, expected] = /^The response is:\n\n```html\n(.*)\n```$/m.exec(page)!
  const { outputFiles } = await build({
    stdin: { contents: block, loader: 'tsx', resolveDir: `${root}test/jsx` },
    ...bundling,
  })
  const { app } = await load(outputFiles[0]!.text)
  expect(await (await app.request('/')).text()).toBe(expected)
})

test.each([
  ['BR', '<BR>'],
  ['HTML', '<!doctype html><HTML></HTML>'],
])('MX16: the element %s in capitals is %s', (tag, expected) => expect(String(jsx(tag, {}))).toBe(expected))
