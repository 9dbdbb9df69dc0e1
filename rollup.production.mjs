import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { minify } from 'terser'
import typescript from 'typescript'

/** The patterns of `exports` in package.json, the closest first: what a pattern of `null` matches is not public. */
const PATTERNS = Object.entries(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).exports)
  .map(([path, target]) => [path.slice(2).split('*'), target !== null])
  .sort(([[one]], [[other]]) => other.length - one.length)

/** Whether users can import a module or a declaration, by its path below `src` or `dist` without `.ts` or `.js`. */
export const isPublic = (file) => {
  const name = file.replace(/\.d\.ts$/, '')
  return PATTERNS.find(([[start, end]]) => (end === undefined ? name === start : name.startsWith(start)))?.[1]
}

/** Checks of option names: their calls are removed from the build for production. */
const CHECKS_OF_NAMES = new Set(['checkNames', 'checkAppOptions', 'checkNoPrepare'])

/**
 * The source of a module for production: `DEV` is a free name for a literal, checks of names are removed, and
 * `checkOption` keeps its condition and the name of the option.
 */
export const toProduction = (file, source) => {
  const code = source.replace(/^import \{ DEV \} from '#mode'\n/m, '')
  if (!/\bcheck[A-Z]\w+\(/.test(code)) return code
  const tree = typescript.createSourceFile(file, code, typescript.ScriptTarget.Latest, true)
  const cuts = []
  const visit = (node) => {
    if (typescript.isCallExpression(node) && typescript.isIdentifier(node.expression)) {
      const { text } = node.expression
      const [, second] = node.arguments
      if (CHECKS_OF_NAMES.has(text) && typescript.isExpressionStatement(node.parent))
        return cuts.push([node.parent.getStart(), node.parent.getEnd(), ';'])
      if (text === 'checkOption' && node.arguments.length > 2)
        cuts.push([second.getEnd(), node.arguments.at(-1).getEnd(), ''])
    }
    return typescript.forEachChild(node, (child) => void visit(child))
  }
  visit(tree)
  return cuts
    .sort(([one], [other]) => other - one)
    .reduce((text, [start, end, instead]) => text.slice(0, start) + instead + text.slice(end), code)
}

/**
 * Names of properties that no user and no other package reads, from the kernel and from event streams. They are short
 * in the build for production, wherever they occur: so a name that users see on any object must not be here.
 */
export const PRIVATE = `
  ~response ~passes ~race ~coverOf ~withPrefix ~matches ~stream plannedRoute mountSettings wrongMethod
  edits older ownResponse runEdits respondInstead isRaceOver isPrivate deadline changed patternBranches heartbeat over
  sink cleanup abortController drained wake
`
  .trim()
  .split(/\s+/)

/** `_a`, `_b` … */
const SHORT = Object.fromEntries(PRIVATE.map((name, index) => [name, `_${(index + 10).toString(36)}`]))

/** JavaScript of a module for production. */
export const compileForProduction = async (file, source = readFileSync(file, 'utf8')) => {
  const { code } = await transform(toProduction(file, source), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    define: { DEV: 'false' },
    mangleProps: new RegExp(`^(?:${PRIVATE.join('|')})$`),
    mangleQuoted: true,
    mangleCache: SHORT,
  })
  return code
}

/**
 * The published code has no whitespace, no comments, and short names of variables within functions: editors show the
 * documentation of the declarations. `@__PURE__` stays, without which nothing shakes; esbuild would drop it with the
 * whitespace. Names of modules' own functions stay, and each statement begins a line, so that a stack trace can be read.
 */
export const minified = {
  name: 'minified',
  async renderChunk(chunk) {
    // Nothing here is imported for what it does when it loads
    const { code } = await minify(chunk.replace(/^import '[^']+';(?:\n|$)/gm, ''), {
      ecma: 2020,
      module: true,
      compress: { join_vars: false, keep_fnames: true, module: false, sequences: false },
      mangle: { keep_classnames: true, keep_fnames: true, module: false },
      format: { preserve_annotations: true, semicolons: false },
    })
    return { code, map: null }
  },
}

/** Modules that an entry reaches, and itself, by its path. */
export const reachedFrom = (entry, getModuleInfo) => {
  const seen = new Set([resolve(entry)])
  for (const id of seen)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) if (imported.startsWith('/')) seen.add(imported)
  return seen
}

/** Bundlers take what is used from a namespace that a file exports, and not from an object that rollup makes of it. */
const zAsNamespace = {
  name: 'z-as-namespace',
  resolveId: (id, from) =>
    id === './z.ts' && from?.endsWith('/src/index.ts') ? { id: './z.js', external: true } : undefined,
}

const isOfSchemas = (id) => /\/src\/(z\.ts|z\/|errors\/validation-error\.ts|internal\/(z|schema)\/)/.test(id)

/**
 * The build for bundles of the edge: its runtime is inlined, and modules are grouped by what a door reaches, so that a
 * bundler opens few files.
 */
export const productionBuild = (input, dir, plugins) => {
  let app
  let root
  return {
    input,
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'strict',
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'internal/[name].js',
      hoistTransitiveImports: false,
      minifyInternalExports: false,
      generatedCode: 'es2015',
      manualChunks(id, { getModuleInfo }) {
        app ??= reachedFrom('src/app.ts', getModuleInfo)
        root ??= new Set(['src/index.ts', 'src/z.ts'].flatMap((door) => [...reachedFrom(door, getModuleInfo)]))
        if (!id.startsWith('/') || id.endsWith('/src/index.ts')) return undefined
        if (app.has(id)) return 'kernel'
        return root.has(id) ? (isOfSchemas(id) ? 'schemas' : 'more') : undefined
      },
    },
    plugins: [
      zAsNamespace,
      {
        name: 'production',
        resolveId(id, from) {
          if (id.startsWith('#runtime/')) return join(process.cwd(), 'src/runtime/edge', `${id.slice(9)}.ts`)
          if (id.startsWith('.')) return resolve(dirname(from), id)
          return from ? { id, external: true } : undefined
        },
        transform: async (source, id) => ({ code: await compileForProduction(id, source), map: null }),
      },
      minified,
      ...plugins,
    ],
  }
}
