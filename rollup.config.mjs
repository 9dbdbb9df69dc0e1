import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import typescript from '@rollup/plugin-typescript'
import { transform } from 'esbuild'
import ts from 'typescript'
import { declarations } from './rollup.declarations.mjs'
import { chunkFileNames, cores, fileOf, isCore } from './rollup.groups.mjs'
import { isPublic, minified, productionBuild } from './rollup.production.mjs'

/** Every TypeScript file below a folder. */
const entries = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

/** The modules that are imported as `#runtime/…`. Other modules of a runtime go into the files that need them. */
const runtimeDoors = new Set(
  entries('src').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/'#runtime\/([\w-]+)'/g), ([, name]) => name),
  ),
)

const isEntry = (name) =>
  name.startsWith('runtime/')
    ? !name.startsWith('runtime/platform/') && runtimeDoors.has(posix.basename(name))
    : isPublic(name)

/** The entries of a build, by their names in `dist`. Internal modules go into the files that need them. */
const inputs = (folder) =>
  Object.fromEntries(
    entries(folder)
      .map((file) => [posix.relative(folder, file).replace(/\.ts$/, ''), file])
      .filter(([name]) => folder !== 'src' || (isEntry(name) && !isCore(name))),
  )

/** What users import. */
const publicInputs = () => Object.fromEntries(Object.entries(inputs('src')).filter(([name]) => isPublic(name)))

/** Only relative imports are ours; `#runtime/*`, `node:*` and packages stay imports. */
const external = (id) => !id.startsWith('.') && !id.startsWith('/')

/**
 * tsc wraps `import(specifier)` in a helper that turns `.ts` into `.js`, and the plugin leaves the helper out. Our
 * computed specifiers are built-ins, packages and the user's own files: they stay as they are.
 */
const computedImports = {
  name: 'computed-imports',
  transform: (code) => ({ code: code.replaceAll('__rewriteRelativeImportExtension(', '('), map: null }),
}

/** The build with checks. */
const development = {
  name: 'development',
  transform: (code) => ({ code: code.replace(/^import \{ DEV \} from '#mode';$/m, 'const DEV = true;'), map: null }),
}

/** V8 reads a declared function in two thirds of the time that it takes for an arrow function. */
const declared = {
  name: 'declared',
  renderChunk(code) {
    const { statements } = ts.createSourceFile('.js', code, ts.ScriptTarget.Latest, true)
    return statements
      .map((statement) => declarationOf(statement.declarationList?.declarations ?? []) ?? statement.getFullText())
      .join('')
  },
}

const declarationOf = ([{ name, initializer } = {}, ...others]) => {
  if (!initializer || !ts.isArrowFunction(initializer) || others.length > 0) return undefined
  const { body, modifiers, parameters } = initializer
  const block = ts.isBlock(body) ? body.getText() : `{ return ${body.getText()} }`
  return `\n${modifiers ? 'async ' : ''}function ${name.text}(${parameters.map((one) => one.getText())}) ${block}`
}

/** The command is minified, because users do not debug it. */
const withoutNames = {
  name: 'without-names',
  renderChunk: (code) =>
    transform(code, { target: 'es2022', legalComments: 'none', platform: 'neutral', minify: true }),
}

/** Files that load each other run in an order that depends on which was asked for first. */
const noCircles = {
  name: 'no-circles',
  generateBundle(_, bundle) {
    const done = new Set()
    const visit = (name, path) => {
      if (path.includes(name)) throw new Error(`Files load each other: ${[...path, name].join(' → ')}`)
      if (done.has(name)) return
      for (const imported of bundle[name]?.imports ?? []) visit(imported, [...path, name])
      done.add(name)
    }
    for (const name of Object.keys(bundle)) visit(name, [])
  },
}

/** Entries of the command: for users, and for the process of `sluice dev`. */
const COMMAND = { cli: 'generators/cli.ts', 'dev/server': 'generators/dev/server.ts' }

/** The modules of a file and those that load with it, without that file. */
const loadedWith = (file, getModuleInfo) => {
  const start = join(process.cwd(), file)
  const seen = new Set([start])
  for (const id of seen) for (const imported of getModuleInfo(id)?.importedIds ?? []) seen.add(imported)
  seen.delete(start)
  return seen
}

/**
 * People wait for `sluice g` most often, so it opens three files: what every command needs, what the server of
 * `sluice dev` needs too, and the rest. A module that finds files by its own place must be at the top of the folder:
 * `feature-of`.
 */
const commandPartOf = (id, { getModuleInfo }) => {
  const isIn = (file) => loadedWith(file, getModuleInfo).has(id)
  const [isStart, isGenerate, isServer] = [
    COMMAND.cli,
    'generators/commands/generate/run.ts',
    COMMAND['dev/server'],
  ].map(isIn)
  if (isServer && (isStart || isGenerate)) return 'base'
  if (isStart) return 'program'
  if (isGenerate) return 'generate'
  return id.endsWith('/feature-of.ts') ? 'feature-of' : undefined
}

/** A command that is loaded when it is called keeps its place, so that what it finds beside itself is there. */
const commandFile = ({ facadeModuleId: id, name }) =>
  id ? posix.relative('generators', posix.relative(process.cwd(), id)).replace(/\.ts$/, '.js') : `${name}.js`

const build = (folder, dir, plugins = []) => ({
  input: folder === 'src' ? inputs(folder) : COMMAND,
  external,
  treeshake: folder === 'src' && { moduleSideEffects: false },
  preserveEntrySignatures: 'strict',
  output: {
    dir,
    format: 'esm',
    ...(folder === 'src'
      ? {
          entryFileNames: '[name].js',
          chunkFileNames,
          manualChunks: fileOf,
          minifyInternalExports: false,
        }
      : { entryFileNames: '[name].js', chunkFileNames: commandFile, manualChunks: commandPartOf }),
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    sourcemap: false,
  },
  plugins: [
    typescript({
      tsconfig: './tsconfig.json',
      include: [`${folder}/**/*.ts`],
      filterRoot: process.cwd(),
      module: 'nodenext',
      noEmit: false,
      noEmitOnError: !process.env.SLUICE_DRAFT,
      rewriteRelativeImportExtensions: true,
      // The command has no declarations. It uses types of the sources, so its root is the folder of both.
      ...(folder === 'src'
        ? { declaration: true, declarationDir: dir, rootDir: folder }
        : { declaration: false, isolatedDeclarations: false, rootDir: '.' }),
      outDir: dir,
      removeComments: false,
    }),
    computedImports,
    development,
    ...(folder === 'generators' ? [withoutNames] : [declared, minified]),
    ...plugins,
  ],
})

rmSync('dist', { recursive: true, force: true })

/** Templates are read at run time, so they travel beside the code that reads them. */
const templates = {
  name: 'templates',
  writeBundle: () => cpSync('generators/templates', 'dist/generators/templates', { recursive: true }),
}

export default [
  build('src', 'dist', [cores, declarations, noCircles]),
  productionBuild(publicInputs(), 'dist/edge', [noCircles]),
  build('generators', 'dist/generators', [templates, noCircles]),
]
