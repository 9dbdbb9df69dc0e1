import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * What each middleware adds to an edge bundle of the pipe door that already has a middleware which calls `onResponse`:
 * `node test/package/adds.mjs [name …]`. The second figure is what it adds where another middleware checks its options
 * too, since that code is shared. Bundles the sources, so it needs no build. Exits with 1 if a row exceeds its ceiling.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Name, import, how it is made, target of TARGETS.md, and the ceiling: what it is today, rounded up. */
export const ROWS = [
  ['cors', 'cors', 'cors()', 550, 1130],
  ['logger', 'logger', 'logger()', 220, 670],
  ['helmet', 'helmet', 'helmet()', 900, 1690],
  ['api-version', 'apiVersion', "apiVersion({ versions: ['1'] })", 850, 1390],
  ['compression', 'compression', 'compression()', 950, 1530],
  ['sanitizer', 'sanitizer', 'sanitizer()', 1000, 1470],
  ['validator', 'validator', 'validator({ schema })', 900, 2070],
  ['rate-limiter', 'rateLimiter', 'rateLimiter({ max: 1, windowMs: 1 })', 1400, 2550],
  ['csrf', 'csrf', 'csrf({ secret })', 2000, 3240],
  ['session', 'session', 'session({ secret })', 2100, 3300],
]

const entryOf = (path, name, made, checks) => `
${checks ? `import * as checks from '${root}src/internal/options.ts'` : ''}
import { onResponse } from 'sluice/on-response'
import { pipe } from 'sluice/pipe'
import { blank, route, use } from 'sluice/plan'
import { text } from 'sluice/respond/text'
import { toFetch } from 'sluice/to-fetch'
${name ? `import { ${name} } from 'sluice/middleware/${path}'` : ''}
const schema = globalThis.schema
const secret = globalThis.secret
export const fetch = pipe(
  blank,
  use((ctx, next) => {
    onResponse(ctx, ['x-one', '1'])
    ${checks ? "checks.checkNames('one', ctx, 'a')\n    checks.checkWhole(ctx, 'one: a', 'b')" : ''}
    return next()
  }),
  ${name ? `use(${made}),` : ''}
  route('GET', '/', () => text('hello')),
  toFetch,
)`

/** Sources in place of `dist`: the same modules without a build. */
const fromSource = {
  name: 'from-source',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^sluice\// }, ({ path }) => ({ path: `${root}src/${path.slice('sluice/'.length)}.ts` })),
}

/** Code of a bundle, and gzipped bytes of it. */
export const bundle = async (path, name, made, checks = false) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entryOf(path, name, made, checks), resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['sluice-source', 'workerd', 'worker', 'browser'],
    plugins: [fromSource],
    metafile: true,
    write: false,
    absWorkingDir: root,
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  return { bytes: gzipSync(outputFiles[0].contents, { level: 9 }).length, inputs }
}

/** Rows as `[name, bytes, bytes beside other checked options, target, ceiling]`. */
export const measure = async (names = []) => {
  const base = await bundle()
  const checking = await bundle('', '', '', true)
  const rows = ROWS.filter(([path]) => !names.length || names.includes(path))
  return Promise.all(
    rows.map(async ([path, name, made, target, ceiling]) => [
      path,
      (await bundle(path, name, made)).bytes - base.bytes,
      (await bundle(path, name, made, true)).bytes - checking.bytes,
      target,
      ceiling,
    ]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await measure(process.argv.slice(2))
  for (const [name, bytes, beside, target, ceiling] of rows) {
    const verdict = bytes <= target ? 'reached' : `target missed by ${bytes - target}`
    console.log(
      `${name.padEnd(14)}${`${bytes}`.padStart(6)} B, beside others ${`${beside}`.padStart(5)} B  target ${target}, ceiling ${ceiling}  ${verdict}`,
    )
  }
  process.exitCode = rows.some(([, bytes, , , ceiling]) => bytes > ceiling) ? 1 : 0
}
