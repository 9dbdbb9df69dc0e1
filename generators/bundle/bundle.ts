import { builtinModules } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BuildOptions, BuildResult } from 'esbuild'
import { configError, failure } from '../errors.ts'
import { featureOf } from '../feature-of.ts'
import { resolveFrom } from '../project/loader.ts'

/** The cost of one part of a bundle, in bytes. */
export interface Cost {
  /** `sluice/middleware/cors`, the name of another package, or `your code`. */
  readonly feature: string
  readonly minified: number
  readonly gzip: number
  readonly brotli: number
}

/** The output of esbuild, which comes from the project. */
export type Bundle = BuildResult<{ write: false; metafile: true }>

/** Conditions for choosing the files of packages, and modules that are built into the runtime. */
export const RUNTIMES: Readonly<Record<'edge' | 'node' | 'bun' | 'deno', BuildOptions & { conditions: string[] }>> = {
  edge: {
    platform: 'neutral',
    conditions: ['workerd', 'edge-light', 'browser'],
    mainFields: ['module', 'main'],
  },
  node: { platform: 'node', conditions: ['node'] },
  bun: { platform: 'node', conditions: ['bun', 'node'] },
  deno: { platform: 'node', conditions: ['deno', 'node'] },
}

/** Built-in modules, and drivers, which are loaded when a database is opened and never shipped to an edge. */
const NOT_BUNDLED: string[] = [
  ...builtinModules,
  'node:*',
  'bun:*',
  'cloudflare:*',
  'pg',
  'mysql2',
  'mysql2/*',
  '@photostructure/sqlite',
]

/**
 * Bundle an entry as a deployment to an edge would, minified and without unused code, and return the size of each
 * feature.
 *
 * Gzip and brotli are measured on the whole bundle, and divided by the minified bytes of each part, so the parts add
 * up.
 *
 * @throws {CliError} with exit code 3 without esbuild, 1 if the entry cannot be bundled.
 */
export const measure = async (root: string, entry: string): Promise<{ total: Cost; parts: Cost[] }> => {
  const result = await bundle(root, entry, {
    ...RUNTIMES.edge,
    minify: true,
    outdir: 'out',
    external: NOT_BUNDLED,
  })
  return costsOf(root, result, result.outputFiles[0]?.contents ?? new Uint8Array())
}

/** The size of each feature in a bundle with the given code: the parts add up to the total. */
export const costsOf = (root: string, { metafile }: Bundle, code: Uint8Array): { total: Cost; parts: Cost[] } => {
  const total = {
    feature: 'total',
    minified: code.length,
    gzip: gzipSync(code, { level: 9 }).length,
    brotli: brotli(code),
  }
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const sizes = inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
  return { total, parts: shareOut(root, sizes, total) }
}

/**
 * Bundle an entry as an ES module, in memory, with the esbuild of the project.
 *
 * @throws {CliError} with exit code 3 without esbuild, 1 if the entry cannot be bundled.
 */
export const bundle = async (root: string, entry: string, options: BuildOptions): Promise<Bundle> => {
  // tsx has its own esbuild, which may be the only one in a project.
  const tsx = resolveFrom(root, 'tsx')
  const path = resolveFrom(root, 'esbuild') ?? (tsx === undefined ? undefined : resolveFrom(dirname(tsx), 'esbuild'))
  if (path === undefined) throw configError('esbuild is not installed: npm install --save-dev esbuild')
  const module = await import(pathToFileURL(path).href)
  const { build }: typeof import('esbuild') = module.default ?? module
  return build({
    ...options,
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }).catch((error: Error) => {
    throw failure(`${entry} cannot be bundled: ${error.message}`, error)
  })
}

const brotli = (code: Uint8Array): number =>
  brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }).length

const shareOut = (root: string, inputs: readonly (readonly [string, number])[], total: Cost): Cost[] => {
  const bytes = new Map<string, number>()
  for (const [path, size] of inputs) {
    const feature = featureOf(root, path)
    bytes.set(feature, (bytes.get(feature) ?? 0) + size)
  }
  const sum = [...bytes.values()].reduce((a, b) => a + b, 0) || 1
  const share = (size: number, whole: number): number => Math.round((whole * size) / sum)
  return [...bytes]
    .filter(([, size]) => size > 0)
    .map(([feature, size]) => ({
      feature,
      minified: share(size, total.minified),
      gzip: share(size, total.gzip),
      brotli: share(size, total.brotli),
    }))
    .sort((a, b) => b.minified - a.minified)
}
