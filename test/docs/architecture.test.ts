import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const filesBelow = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`)
    .sort()

/** A `let`, a collection, an empty list or an object of counters, at module level. */
const MUTABLE = [
  /^(?:export )?let (\w+)/gm,
  /^(?:export )?const (\w+)(?:: (?!Readonly)[^=]+| )= (?:\/\* @__PURE__ \*\/ )?new (?:Map|WeakMap|Set|WeakSet|AsyncLocalStorage)\b(?!<.*>\(\[)/gm,
  /^const (\w+)(?:: [^=]+| )= \[\]$/gm,
  /^const (\w+) = \{ \w+: 0\b/gm,
]

test('K6: ARCHITECTURE.md lists every binding of module level that changes, and nothing else', () => {
  const found = filesBelow('src', '.ts').flatMap((file) => {
    const code = read(file)
    return MUTABLE.flatMap((pattern) => Array.from(code.matchAll(pattern), ([, name]) => `${file} ${name}`))
  })
  const listed = Array.from(read('ARCHITECTURE.md').matchAll(/^\| `(src\/\S+)` `(\w+)` \|/gm), ([, file, name]) => [
    file,
    name,
  ])
  expect(listed.map((row) => row.join(' ')).sort()).toEqual(found.sort())
})

test('K9: every path that ARCHITECTURE.md names is there', () => {
  const named = Array.from(
    read('ARCHITECTURE.md').matchAll(/`((?:src|test|generators|docs)\/[\w./-]*)`/g),
    ([, path]) => path!,
  )
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('K9: every folder of src and of src/internal has its line', () => {
  const map = read('ARCHITECTURE.md')
  const folders = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  expect(folders('src').filter((name) => !map.includes(`\`src/${name}\``))).toEqual([])
  expect(folders('src/internal').filter((name) => !new RegExp(`^\\|.*\`${name}\``, 'm').test(map))).toEqual([])
})

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs', '.md').filter((name) => !name.startsWith('docs/contract/')),
]

test('P25: the package has the builds and three pages, and README says where the others are', () => {
  const { files } = JSON.parse(read('package.json'))
  expect(files).toEqual(['dist', 'CHANGELOG.md', 'SECURITY.md'])
  expect(read('README.md')).toContain('The pages and the examples are on the site and in the repository')
})

/** The anchors that the headings of a page get: their text in lower case, with dashes for spaces. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const headings = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm)
  return new Set(
    Array.from(headings, ([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\p{L}\d _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test.each(pages)('P25: every anchor that %s links to is a heading', (page) => {
  const links = Array.from(read(page).matchAll(/\]\(([\w./-]*)#([^)\s]+)\)/g))
  const missing = links
    .filter(([, target, anchor]) => !anchorsOf(target ? join(dirname(page), target) : page).has(anchor!))
    .map(([link]) => link)
  expect(missing).toEqual([])
})

test.each(pages)('P25: every relative link of %s leads to a file', (page) => {
  const links = Array.from(read(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!)
  const missing = links
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .filter((target) => !existsSync(join(root, dirname(page), target.replace(/#.*/, ''))))
  expect(missing).toEqual([])
})
