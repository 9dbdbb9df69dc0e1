// Which module costs what: `node test/package/attribution.mjs [entry …]` prints, for the entries of test/package/entries, the bytes
// (gzip -9) that a bundle loses when the text of one module is cut out of it. Sums differ from the whole, since gzip
// shares what modules have in common.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'test/package/entries')

/** The sources of sluice, not what was built: chunks hold many modules. */
const sources = {
  name: 'sources',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^sluice(\/|$)/ }, ({ path }) => ({
      path: join(root, 'src', `${path === 'sluice' ? 'index' : path.slice('sluice/'.length)}.ts`),
      sideEffects: false,
    })),
}

const bundle = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['sluice-source', 'workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    plugins: [sources],
    absWorkingDir: root,
  })
  return outputFiles[0].text.replace(EXPORTS, (_, names) => `keep(${names.replace(/ as \w+/g, '')});`)
}

/** What a bundle exports cannot be cut out of it, an argument can. */
const EXPORTS = /^export \{([^}]*)\};/m

const bytesOf = async (code) => {
  const { code: small } = await transform(code, { minify: true, format: 'esm' })
  return gzipSync(small, { level: 9 }).length
}

/** The bundle in pieces, each behind the comment with which esbuild names its module. */
const piecesOf = (code) =>
  code.split(/^(?=\/\/ src\/)/m).map((text) => ({ name: text.match(/^\/\/ (src\/\S+)/)?.[1] ?? 'the entry', text }))

const attribute = async (name) => {
  const code = await bundle(join(folder, `${name}.mjs`))
  const pieces = piecesOf(code)
  const whole = await bytesOf(code)
  console.log(`\n${name}: ${whole} B\n`)
  const rows = await Promise.all(
    pieces.map(async ({ name: module }, index) => {
      const rest = pieces.filter((_, other) => other !== index).map(({ text }) => text)
      return [whole - (await bytesOf(rest.join(''))), module]
    }),
  )
  rows.sort(([a], [b]) => b - a)
  console.log('| Module | Bytes |\n|---|---:|')
  for (const [bytes, module] of rows) if (bytes > 10) console.log(`| \`${module}\` | ${bytes} |`)
}

const asked = process.argv.slice(2)
const entries = readdirSync(folder).map((file) => basename(file, '.mjs'))
for (const name of asked.length > 0 ? asked : entries) await attribute(name)
