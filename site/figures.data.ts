import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import bytes from './bytes.data.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const docs = `${here}../docs`

/** Bytes of one route with a door of hono, bundled as ours are. */
const honoBytes = async (door: string): Promise<number> => {
  const contents = `import { Hono } from '${door}'\nexport const { fetch } = new Hono().get('/', (c) => c.text('hello'))`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

const sizes = async () => {
  const [functions, tiny, app] = await bytes.load()
  const list = [
    { name: 'sluice, functions', bytes: functions!.total, own: true },
    { name: 'hono/tiny', bytes: await honoBytes('hono/tiny'), own: false },
    { name: 'sluice/tiny', bytes: tiny!.total, own: true },
    { name: 'hono', bytes: await honoBytes('hono'), own: false },
    { name: 'sluice, createApp', bytes: app!.total, own: true },
  ]
  return list.sort((a, b) => a.bytes - b.bytes)
}

/** Figures of the landing page: what the benchmarks wrote, and sizes that are measured when the site is built. */
export default {
  async load() {
    const { runtimes } = JSON.parse(readFileSync(`${docs}/benchmarks/results.json`, 'utf8'))
    const { rows, version } = runtimes.node24
    return {
      version,
      date: Object.values(rows as Record<string, { date: string }>)[0]!.date,
      all: rows,
      sizes: await sizes(),
    }
  },
}
