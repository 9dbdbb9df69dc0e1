import { basename, join, relative, resolve } from 'node:path'
import { configError, failure, usageError } from '../errors.ts'
import { projectFile } from '../project/project.ts'
import type { PlannedFile } from '../project/write.ts'
import { absentPackages, builtIns, REQUIRE, SEPARATE } from './build-plugins.ts'
import { type Bundle, bundle, type Cost, costsOf, RUNTIMES } from './bundle.ts'

export const TARGETS = ['node', 'bun', 'deno', 'workers'] as const

export type Target = (typeof TARGETS)[number]

/** Options of {@link buildFile}. */
export interface BuildOptions {
  /** The entry module, relative to the project. @default `src/server.ts`, or `src/worker.ts` for Workers */
  readonly entry: string | undefined
  readonly target: Target
  /** Folder for the file and its source map, relative to the project. */
  readonly out: string
  readonly minify: boolean
}

/** A self-contained file and its source map; nothing is written yet. */
export interface Built {
  readonly entry: string
  readonly files: readonly PlannedFile[]
  readonly total: Cost
  readonly parts: readonly Cost[]
  /** The packages that the file imports at run time, in order, without built-in modules. */
  readonly imports: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * The application as one file for a runtime. The same sources give the same bytes.
 *
 * @throws {CliError} with exit code 2 if the folder has a source, 3 without esbuild or an entry, 1 if the entry
 * cannot be bundled, or has no default export for Workers.
 */
export const buildFile = async (root: string, options: BuildOptions): Promise<Built> => {
  const { target, minify } = options
  const isWorker = target === 'workers'
  const runtime = RUNTIMES[isWorker ? 'edge' : target]
  const usual = isWorker ? 'src/worker.ts' : 'src/server.ts'
  const out = resolve(root, options.out)
  const { entry = usual } = options
  assertEntry(root, options.entry, usual)
  const path = join(out, `${basename(entry).replace(/\.[cm]?[jt]sx?$/, '')}.mjs`)
  const made = await bundle(root, entry, {
    ...runtime,
    // `wrangler dev` says so to the build that it runs: that of its own sources checks what their author writes
    ...(process.env.WRANGLER_COMMAND === 'dev' && { conditions: ['development', ...runtime.conditions] }),
    outfile: path,
    minify,
    sourcemap: 'linked',
    external: SEPARATE,
    banner: isWorker ? {} : { js: REQUIRE },
    plugins: [builtIns(isWorker), absentPackages()],
  })
  assertApart(root, out, made)
  const output = Object.values(made.metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)
  if (isWorker && !output?.exports.includes('default'))
    throw failure(`${entry} has no default export, which Workers need: export default createWorker(app)`)
  const code = made.outputFiles.find((file) => file.path === path)?.contents ?? new Uint8Array()
  const files = made.outputFiles.map((file) => ({ path: slashed(relative(root, file.path)), contents: file.text }))
  return {
    entry,
    files,
    ...costsOf(root, made, code),
    imports: importsOf(output?.imports ?? [], target),
    warnings: made.warnings.map(({ text, location }) =>
      location ? `${location.file}:${location.line}: ${text}` : text,
    ),
  }
}

/** A source file is never overwritten, whatever the folder. */
const assertApart = (root: string, out: string, { metafile }: Bundle): void => {
  const source = Object.keys(metafile.inputs).find((path) => !relative(out, resolve(root, path)).startsWith('..'))
  if (source !== undefined) throw usageError(`--out contains the source file ${source}: use another folder`)
}

const slashed = (path: string): string => path.replaceAll('\\', '/')

const assertEntry = (root: string, entry: string | undefined, usual: string): void => {
  try {
    projectFile(root, entry ?? usual)
  } catch (error) {
    if (entry !== undefined) throw error
    throw configError(`There is no ${usual}; name the entry module: sluice build <entry>`)
  }
}

/** Modules that are built into Node, Bun and Deno; Workers have them with a flag. */
const BUILT_IN = /^(?:node|bun|cloudflare):|^bun$/

const importsOf = (imports: readonly { path: string; external?: boolean }[], target: Target): string[] => {
  const names = imports.filter(({ external }) => external).map(({ path }) => path)
  const wanted =
    target === 'workers'
      ? names.filter((name) => !name.startsWith('cloudflare:'))
      : names.filter((name) => !BUILT_IN.test(name))
  return [...new Set(wanted)].sort()
}
