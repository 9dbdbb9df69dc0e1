/** Builds the playground into `site/.pages/public/playground`. Run after `stage.mjs`. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { lessons } from './lessons.mjs'
import { checksPack, peerPacks, productionPack, sourcePack, typesPack } from './packs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const out = join(here, '../.pages/public/playground')
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const packs = {
  production: productionPack(),
  checks: checksPack(),
  source: await sourcePack(),
  peers: await peerPacks(),
  types: typesPack(),
}
for (const [name, pack] of Object.entries(packs)) writeFileSync(join(out, `${name}.json`), JSON.stringify(pack))

const settings = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'error',
  tsconfigRaw: '{}',
}
const { outputFiles } = await build({ ...settings, entryPoints: [join(here, 'src/harness.ts')], write: false })
/** The text of the harness, for the frame that starts it as a worker. */
const harness = {
  name: 'harness',
  setup(setup) {
    setup.onResolve({ filter: /^harness$/ }, () => ({ path: 'harness', namespace: 'harness' }))
    setup.onLoad({ filter: /.*/, namespace: 'harness' }, () => ({ contents: outputFiles[0].text, loader: 'text' }))
  },
}
/** The steps of the tutorial, for the page. */
const tutorial = {
  name: 'lessons',
  setup(setup) {
    setup.onResolve({ filter: /^lessons$/ }, () => ({ path: 'lessons', namespace: 'lessons' }))
    setup.onLoad({ filter: /.*/, namespace: 'lessons' }, () => ({
      contents: JSON.stringify(lessons()),
      loader: 'json',
    }))
  },
}
const scripts = [
  ['runner', { plugins: [harness] }],
  ['bundler', {}],
  ['checker', { external: ['fs', 'path', 'os', 'crypto', 'inspector', 'perf_hooks', 'module', 'source-map-support'] }],
  ['main', { format: 'esm', plugins: [tutorial] }],
]
for (const [name, more] of scripts)
  await build({ ...settings, entryPoints: [join(here, `src/${name}.ts`)], outfile: join(out, `${name}.js`), ...more })

for (const name of ['index.html', 'runner.html', 'style.css', 'theme.js'])
  copyFileSync(join(here, name), join(out, name))
const wasm = createRequire(import.meta.url).resolve('esbuild-wasm/esbuild.wasm')
copyFileSync(wasm, join(out, 'esbuild.wasm'))

/** What a visit loads; the build with checks and the types are loaded when somebody asks for them. */
const FIRST = [
  'index.html',
  'style.css',
  'theme.js',
  'main.js',
  'bundler.js',
  'runner.html',
  'runner.js',
  'esbuild.wasm',
  'production.json',
  'peers.json',
  'source.json',
]
const weigh = (name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length
const total = FIRST.reduce((sum, name) => sum + weigh(name), 0)
console.log(
  `playground: ${total.toLocaleString('en')} bytes at first, gzip; types ${(weigh('types.json') + weigh('checker.js')).toLocaleString('en')}`,
)
if (total > 5_000_000) throw new Error('The playground is to load at most 5 MB at first.')
