import { compileModule } from '#runtime/own-command'
import { checkNames, checkOption } from '../internal/options/check.ts'

/** Options of {@link compileSchemas} and {@link compileSchemasEsbuild}. */
export interface CompileSchemasOptions {
  /**
   * Modules whose exported schemas are compiled, by their absolute path with `/` between folders.
   * @default `schemas.ts`, `schema.ts` and `user.schema.ts`, in JavaScript too, but not in packages
   */
  readonly include?: RegExp
  /** The command `sluice` as words, to run another one than that of this package. */
  readonly command?: readonly string[]
}

/** A plug-in for Rollup, Rolldown and Vite. */
export interface RollupPlugin {
  readonly name: string
  readonly enforce: 'pre'
  readonly apply: 'build'
  readonly resolveId: (
    this: RollupContext,
    source: string,
    importer: string | undefined,
    options: object,
  ) => Promise<Resolved | null>
  readonly load: (this: RollupContext, id: string) => Promise<{ code: string; map: string } | null>
}

/** The part of the bundler that the plug-in calls. */
export interface RollupContext {
  readonly resolve: (source: string, importer: string | undefined, options: object) => Promise<Resolved | null>
  readonly addWatchFile: (file: string) => void
}

/** A module that the bundler has found. */
export interface Resolved {
  readonly id: string
  readonly external?: boolean | 'absolute' | 'relative'
}

/** A plug-in for esbuild. */
export interface EsbuildPlugin {
  readonly name: string
  // any: the builder of esbuild, whose types are those of its package
  readonly setup: (build: any) => void
}

/** Marks the module that replaces another one; files keep their ids, so other plug-ins know them. */
const MARK = '?sluice-compiled'

/** A file whose name ends with `schema` or `schemas`, outside of `node_modules`. */
const SCHEMA_MODULE = /^(?!.*\/node_modules\/).*[/.]schemas?\.[cm]?[jt]s$/

const NAME = 'sluice-compile-schemas'

/**
 * Compile the schemas of `sluice/z` while bundling with Rollup, Rolldown or Vite: whoever imports a schema module gets
 * the same schemas with plain code for their checks. Bundles only; the server of Vite interprets. Imports each schema
 * module in its own process, so the module must be able to run there.
 *
 * @throws {TypeError} when made, for a bad option.
 * @example
 * export default { input: 'src/app.ts', plugins: [compileSchemas()] }
 */
export const compileSchemas = (options: CompileSchemasOptions = {}): RollupPlugin => {
  const isIncluded = includes('compileSchemas', options)
  return {
    name: NAME,
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer, resolveOptions) {
      // The module that replaces another one imports that one itself
      if (importer?.endsWith(MARK)) return null
      const resolved = await this.resolve(source, importer, { ...resolveOptions, skipSelf: true })
      return resolved && !resolved.external && isIncluded(resolved.id)
        ? { ...resolved, id: resolved.id + MARK }
        : resolved
    },
    async load(id) {
      if (!id.endsWith(MARK)) return null
      const file = id.slice(0, -MARK.length)
      // A module that throws is watched too: the next build starts when it is mended
      this.addWatchFile(file)
      return compileModule(file, options.command)
    },
  }
}

/**
 * {@link compileSchemas} for esbuild.
 *
 * @throws {TypeError} when made, for a bad option.
 * @example
 * build({ entryPoints: ['src/app.ts'], bundle: true, plugins: [compileSchemasEsbuild()] })
 */
export const compileSchemasEsbuild = (options: CompileSchemasOptions = {}): EsbuildPlugin => {
  const isIncluded = includes('compileSchemasEsbuild', options)
  return {
    name: NAME,
    setup: (build) => {
      // any: see EsbuildPlugin
      build.onResolve({ filter: /./ }, async ({ path, pluginData, ...place }: any) => {
        if (pluginData === NAME || place.namespace === NAME) return undefined
        const { importer, namespace, resolveDir, kind } = place
        const resolved = await build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: NAME })
        if (resolved.errors.length || resolved.external || !isIncluded(resolved.path)) return undefined
        return { path: resolved.path, namespace: NAME }
      })
      build.onLoad({ filter: /./, namespace: NAME }, async ({ path }: { path: string }) => {
        try {
          const { code, map } = await compileModule(path, options.command)
          const contents = `${code}\n//# sourceMappingURL=data:application/json,${encodeURIComponent(map)}`
          return { contents, resolveDir: path.replace(/[\\/][^\\/]*$/, '') }
        } catch (error) {
          // A module that throws is watched too: the next build starts when it is mended
          return { watchFiles: [path], errors: [{ text: (error as Error).message, detail: error }] }
        }
      })
    },
  }
}

/** Whether a module is one whose schemas are compiled. */
const includes = (name: string, options: CompileSchemasOptions): ((path: string) => boolean) => {
  checkNames(name, options, 'include:object command:object')
  const { include = SCHEMA_MODULE } = options
  const isUsable = include instanceof RegExp && !include.global && !include.sticky
  checkOption(isUsable, `${name}: include`, 'a pattern without the flags g and y', include)
  return (path) => include.test(path.replaceAll('\\', '/'))
}
