/** The packages that the playground bundles, each as the text of its files and the paths of its subpaths. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compileForProduction, isPublic } from '../../rollup.production.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

/** What a browser cannot run, or would not bundle for the edge. */
const NOT_HERE =
  /^(?:edge|generators|mode|runtime\/(?:node|bun|deno))\b|^(?:internal\/)?database|^channel\/(?:nats|postgres)|^stores\/sql/

const filesOf = (folder, end) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith(end) && !name.endsWith('.d.ts') && !NOT_HERE.test(name))

const textsOf = (folder, end) =>
  Object.fromEntries(filesOf(folder, end).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Public subpaths of the package, by the patterns of its `exports`: `''` is the root. */
const exportsOf = (files) =>
  Object.fromEntries(
    Object.keys(files)
      .map((name) => [name.slice(0, -3), name])
      .filter(([name]) => isPublic(name))
      .map(([name, file]) => [name === 'index' ? '' : name, file]),
  )

/** The build for production, as the conditions of the edge choose it. */
export const productionPack = () => {
  const files = textsOf(join(root, 'dist/edge'), '.js')
  return { files, exports: exportsOf(files) }
}

/** The build with checks, with the runtime of the edge. */
export const checksPack = () => {
  const files = textsOf(join(root, 'dist'), '.js')
  return { files, exports: exportsOf(files) }
}

/** The modules of the source as production has them: what is published is rolled up in few files, which tell little. */
export const sourcePack = async () => {
  const files = {}
  for (const name of filesOf(join(root, 'src'), '.ts')) {
    const code = await compileForProduction(join(root, 'src', name))
    files[name.replace(/\.ts$/, '.js')] = code.replace(
      /((?:\bfrom|\bimport)\s*\(?\s*["'])(\.[^"']*)\.ts(["'])/g,
      '$1$2.js$3',
    )
  }
  return { files, exports: exportsOf(files) }
}

/** What the other column of the comparison imports, and jose, which the page on JWT needs. */
const PEERS = {
  hono: [
    '',
    'tiny',
    'quick',
    'cors',
    'cookie',
    'streaming',
    'validator',
    'http-exception',
    'basic-auth',
    'bearer-auth',
    'secure-headers',
    'request-id',
    'timeout',
    'body-limit',
    'etag',
    'jwt',
    'csrf',
    'factory',
  ],
  zod: ['', 'mini'],
  valibot: [''],
  '@hono/zod-validator': [''],
  '@hono/valibot-validator': [''],
  jose: [''],
}

const folderOf = (name) => {
  const parts = require.resolve(name).split(sep)
  const at = parts.lastIndexOf('node_modules')
  return parts.slice(0, at + 1 + name.split('/').length).join(sep)
}

/** Those files of the packages that their listed subpaths reach. */
export const peerPacks = async () => {
  const packs = {}
  for (const [name, subpaths] of Object.entries(PEERS)) {
    const folder = folderOf(name)
    const exports = {}
    const files = {}
    for (const subpath of subpaths) {
      const { metafile } = await build({
        entryPoints: [subpath ? `${name}/${subpath}` : name],
        absWorkingDir: dirname(fileURLToPath(import.meta.url)),
        bundle: true,
        write: false,
        metafile: true,
        format: 'esm',
        platform: 'browser',
        conditions: ['workerd', 'worker', 'browser'],
        external: Object.keys(PEERS).filter((other) => other !== name),
        outfile: 'out.js',
        logLevel: 'error',
      })
      const [output] = Object.values(metafile.outputs)
      const pathOf = (input) =>
        relative(folder, join(dirname(fileURLToPath(import.meta.url)), input))
          .split(sep)
          .join('/')
      exports[subpath] = pathOf(output.entryPoint)
      for (const input of Object.keys(metafile.inputs)) {
        const path = pathOf(input)
        files[path] ??= readFileSync(join(folder, path), 'utf8')
      }
    }
    packs[name] = { files, exports }
  }
  return packs
}

/** Declarations of the package and of the language, for the check of types. */
export const typesPack = () => {
  const files = {}
  for (const name of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts') && !/^(?:edge|generators)\b/.test(name))
      files[`/sluice/${name.split(sep).join('/')}`] = readFileSync(join(root, 'dist', name), 'utf8')
  const lib = dirname(require.resolve('typescript'))
  for (const name of readdirSync(lib))
    if (/^lib\.(?:es5|es20(?:1\d|2[0-3])\b.*|decorators.*|dom(?:\.iterable|\.asynciterable)?)\.d\.ts$/.test(name))
      files[`/lib/${name}`] = readFileSync(join(lib, name), 'utf8')
  return { files }
}
