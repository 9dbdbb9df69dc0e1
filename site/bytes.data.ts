import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { compileForProduction } from '../rollup.production.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const PROGRAMS = {
  'functions, one route': `import { blank, pipe, route, text, toFetch } from './src/pipe.ts'
export const fetch = pipe(blank, route('GET', '/', () => text('hello')), toFetch)`,
  'sluice/tiny, one route': `import { createApp } from './src/tiny.ts'
export const { fetch } = createApp().get('/', (ctx) => ctx.text('hello'))`,
  'createApp, one route': `import { createApp } from './src/app.ts'
export const { fetch } = createApp().get('/', (ctx) => ctx.text('hello'))`,
}

/** Modules of the source as the production build has them. */
const production: Plugin = {
  name: 'production',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({ contents: await compileForProduction(path) })),
}

/** `src/kernel/compose.ts` is in `kernel`, `src/internal/body/json.ts` in `internal/body`. */
const folderOf = (path: string): string => {
  const [first = '', second, third] = path.replace(/^src\//, '').split('/')
  if (second === undefined) return path.startsWith('src/') ? 'doors' : 'the program'
  return third === undefined ? first : `${first}/${second}`
}

/** The folders of the source in a program for the edge, the largest first. Bytes are shares of the compressed bundle. */
const partsOf = async (contents: string) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    outfile: 'out.js',
    tsconfigRaw: '{}',
    conditions: ['sluice-source', 'workerd', 'worker', 'browser'],
    plugins: [production],
    logLevel: 'silent',
  })
  const [file] = outputFiles
  const total = gzipSync(file!.contents, { level: 9 }).length
  const sums = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(metafile.outputs['out.js']!.inputs))
    sums.set(folderOf(path), (sums.get(folderOf(path)) ?? 0) + bytesInOutput)
  const scale = total / file!.contents.length
  const parts = Array.from(sums, ([name, bytes]) => ({ name, bytes: Math.round(bytes * scale) }))
  return { total, parts: parts.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes) }
}

/** What the map of bytes shows. */
export default {
  load: () =>
    Promise.all(Object.entries(PROGRAMS).map(async ([name, program]) => ({ name, ...(await partsOf(program)) }))),
}
