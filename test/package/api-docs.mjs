import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import ts from 'typescript'
import { subpathsOf } from '../runtime/workerd.mjs'

/**
 * Writes docs/api.md from `dist`, after `npm run build`: `node test/package/api-docs.mjs`. With `--check` it says what
 * differs, and leaves with 1: names have to be equal, bytes may differ by 2 %.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = join(root, 'docs/api.md')

/** What databases import: a bundle for the edge gets them from its own dependencies. */
const EXTERNAL = ['kysely', 'pg', 'mysql2', '@photostructure/sqlite', 'node:*', 'bun:*']

/** Bytes of everything that a subpath exports: esbuild, minified, conditions of the edge, gzip -9. */
const bytesOf = async (subpath, resolveDir) => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${subpath}'`, resolveDir },
    bundle: true,
    minify: true,
    // The repository's own `paths` lead to the sources
    tsconfigRaw: '{}',
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: EXTERNAL,
    write: false,
    logLevel: 'silent',
  })
  const { contents } = outputFiles[0]
  return contents.length ? gzipSync(contents, { level: 9 }).length : 0
}

/** The names that each declaration file exports: values first, then types in italics. */
const exportsOf = (files) => {
  const settings = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noLib: true }
  const program = ts.createProgram(files, { ...settings, target: ts.ScriptTarget.ES2022, types: [] })
  const checker = program.getTypeChecker()
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  const isValue = (symbol) => {
    const typeOnly = symbol.declarations?.some((one) => ts.isTypeOnlyImportOrExportDeclaration(one))
    return !typeOnly && (resolved(symbol).flags & ts.SymbolFlags.Value) !== 0
  }
  return files.map((file) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file))
    const all = symbol ? checker.getExportsOfModule(symbol) : []
    const names = (chosen) => chosen.map(({ name }) => name).sort()
    return { values: names(all.filter(isValue)), types: names(all.filter((one) => !isValue(one))) }
  })
}

/** A row for each public subpath: its name, bytes and exports. */
export const apiRows = async (installed, resolveDir = installed) => {
  const subpaths = subpathsOf(installed)
  const files = subpaths.map((subpath) =>
    join(installed, 'dist', `${subpath === 'sluice' ? 'index' : subpath.slice(7)}.d.ts`),
  )
  const exported = exportsOf(files)
  return Promise.all(
    subpaths.map(async (subpath, index) => {
      const { values, types } = exported[index]
      return { subpath, bytes: values.length ? await bytesOf(subpath, resolveDir) : 0, values, types }
    }),
  )
}

const exportsCell = ({ values, types }) =>
  [...values.map((name) => `\`${name}\``), ...types.map((name) => `*${name}*`)].join(' ')

const figure = (bytes) => String(bytes).replace(/\B(?=(\d{3})+$)/g, ',')

/** The page. */
export const apiPage = (rows) => `# Subpaths

Every import of the package. \`node test/package/api-docs.mjs\` writes this page from the build, and CI compares it: names exactly, bytes within 2 %.

Bytes are everything that the subpath exports together: bundled by esbuild, minified, for the edge, gzip -9. What two subpaths share is counted in both.
Kysely, the drivers of databases and \`node:\` modules are left out. Names in italics are types. A row of 0 bytes has types only.

| Import | Bytes | Exports |
|---|---:|---|
${rows.map((row) => `| \`${row.subpath}\` | ${figure(row.bytes)} | ${exportsCell(row)} |`).join('\n')}
`

/** The rows of a page as text: exports by subpath, bytes by subpath. */
const read = (page) =>
  new Map(
    Array.from(page.matchAll(/^\| `(\S+)` \| ([\d,]+) \| (.*) \|$/gm), ([, subpath, bytes, names]) => [
      subpath,
      { names, bytes: Number(bytes.replaceAll(',', '')) },
    ]),
  )

/** What differs between docs/api.md and the package. */
export const apiFindings = async (installed, resolveDir = installed) => {
  const before = existsSync(PAGE) ? read(readFileSync(PAGE, 'utf8')) : new Map()
  const now = read(apiPage(await apiRows(installed, resolveDir)))
  const findings = [...before.keys()].filter((subpath) => !now.has(subpath)).map((subpath) => `gone: ${subpath}`)
  for (const [subpath, { names, bytes }] of now) {
    const old = before.get(subpath)
    if (!old) findings.push(`new: ${subpath}`)
    else if (old.names !== names) findings.push(`${subpath}: exports ${names}, the page says ${old.names}`)
    else if (Math.abs(bytes - old.bytes) > Math.ceil(old.bytes * 0.02))
      findings.push(`${subpath}: ${bytes} bytes, the page says ${old.bytes}`)
  }
  return findings.length ? [...findings, 'npm run build && node test/package/api-docs.mjs writes docs/api.md anew'] : []
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const findings = await apiFindings(root)
    for (const finding of findings) console.log(finding)
    process.exit(findings.length ? 1 : 0)
  }
  writeFileSync(PAGE, apiPage(await apiRows(root)))
}
