/**
 * Writes the reference into `site/.pages/reference`, a page for each public subpath, from the declarations and comments
 * of the built package. Run after `stage.mjs`. A name without a comment fails the build.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { subpathsOf } from '../test/runtime/workerd.mjs'
import { createDescriber } from './reference-parts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'site/.pages/reference')

/** Bytes by subpath: CI compares the page with the build. */
const api = readFileSync(join(root, 'docs/api.md'), 'utf8')
const bytes = new Map(Array.from(api.matchAll(/^\| `(\S+)` \| ([\d,]+) \|/gm), ([, subpath, size]) => [subpath, size]))

const rows = subpathsOf(root).map((subpath) => ({ subpath, page: subpath.replace(/^sluice\/?/, '') || 'index' }))
const fileOf = ({ page }) => join(root, 'dist', `${page}.d.ts`)
const program = ts.createProgram(rows.map(fileOf), {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  types: [],
})
const checker = program.getTypeChecker()
const resolve = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

/** What each subpath exports. A symbol is documented on one page: that of the subpath with the fewest exports. */
const exported = rows.map((row) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(row)))
  return { ...row, symbols: module ? checker.getExportsOfModule(module) : [] }
})
const home = new Map()
for (const { page, symbols } of exported.toSorted((a, b) => a.symbols.length - b.symbols.length))
  for (const symbol of symbols) {
    const target = resolve(symbol)
    if (!home.has(target)) home.set(target, { page, name: symbol.name })
  }

const { describe, linked, missing } = createDescriber({ checker, home, resolve })

/** Values first, then types, each by name. */
const order = (a, b) => Number(/^[A-Z]/.test(a.name)) - Number(/^[A-Z]/.test(b.name)) || a.name.localeCompare(b.name)

const sizeOf = (subpath) => {
  const size = bytes.get(subpath)
  if (size === undefined) return ''
  return size === '0' ? 'Types only.' : `${size} bytes for the edge, all of it: minified, gzip.`
}

const pageOf = ({ subpath, page, symbols }) => {
  const own = symbols.filter((symbol) => home.get(resolve(symbol)).page === page).sort(order)
  const others = symbols.filter((symbol) => home.get(resolve(symbol)).page !== page).sort(order)
  return [
    '---\noutline: 2\n---',
    `# ${subpath}`,
    sizeOf(subpath),
    ...own.map((symbol) => describe(symbol, subpath)),
    others.length > 0 && `## Also exported\n\n${others.map((symbol) => linked(symbol)).join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

for (const row of exported) {
  const file = join(out, `${row.page}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${pageOf(row)}\n`)
}
console.log(`reference: ${rows.length} subpaths, ${home.size} names`)
if (missing.length > 0) {
  console.error(`${missing.length} names have no comment:\n${missing.join('\n')}`)
  process.exit(1)
}
