import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { publicApi, writeReport } from './api-report.mjs'

/**
 * Writes docs/api.md and the report with signatures from `dist`, after `npm run build`: `node test/package/api-docs.mjs`.
 * The page is the baseline of bytes: names have to be equal, bytes may differ by 2 %.
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

/** A row for each public subpath: its name, bytes and exports. */
const rowsOf = (api, resolveDir) =>
  Promise.all(
    api.map(async ({ subpath, values, types }) => ({
      subpath,
      bytes: values.length ? await bytesOf(subpath, resolveDir) : 0,
      values,
      types,
    })),
  )

/** Bytes by subpath. */
export const bytesOfSubpaths = async (api, resolveDir) =>
  Object.fromEntries((await rowsOf(api, resolveDir)).map(({ subpath, bytes }) => [subpath, bytes]))

const exportsCell = ({ values, types }) =>
  [...values.map((name) => `\`${name}\``), ...types.map((name) => `*${name}*`)].join(' ')

const figure = (bytes) => String(bytes).replace(/\B(?=(\d{3})+$)/g, ',')

/** The page. */
const apiPage = (rows) => `# Subpaths

Every import of the package. \`node test/package/api-docs.mjs\` writes this page from the build, and CI compares it: names
exactly, bytes within 2 %.

The bytes of a row are those of everything that the subpath exports together: bundled by esbuild for the edge, minified,
after \`gzip -9\`. Code that two subpaths share is counted in both. Kysely, the drivers of databases and \`node:\` modules
are left out. Names in italics are types. A row of 0 bytes has only types.

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
export const apiFindings = async (api, resolveDir) => {
  const before = existsSync(PAGE) ? read(readFileSync(PAGE, 'utf8')) : new Map()
  const now = read(apiPage(await rowsOf(api, resolveDir)))
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
  const api = publicApi(root)
  writeReport(api)
  writeFileSync(PAGE, apiPage(await rowsOf(api, root)))
}
