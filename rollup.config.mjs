import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import typescript from '@rollup/plugin-typescript'
import { transform } from 'esbuild'

/** Every TypeScript file below a folder: each is an entry, so `dist` mirrors the sources and no export list is kept by hand. */
const entries = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

/** Only relative imports are ours; `#runtime/*`, `node:*` and packages stay imports. */
const external = (id) => !id.startsWith('.') && !id.startsWith('/')

/**
 * tsc wraps `import(specifier)` in a helper that turns `.ts` into `.js`, and the plugin leaves the helper out. Our computed
 * specifiers are built-ins, packages and the user's own files: they stay as they are.
 */
const computedImports = {
  name: 'computed-imports',
  transform: (code) => ({ code: code.replaceAll('__rewriteRelativeImportExtension(', '('), map: null }),
}

/** What the documentation says stands in the declarations, where editors look: the code goes out without it, a third smaller. */
const withoutComments = (minifyWhitespace) => ({
  name: 'without-comments',
  renderChunk: (code) =>
    transform(code, { target: 'es2022', legalComments: 'none', platform: 'neutral', minifyWhitespace }),
})

/** Specifiers of a declaration's neighbours. */
const neighbours = /(?<=(?:from|import)\s*\(?\s*['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g

const isInternal = (name) => /^(internal|runtime)\//.test(name)

/**
 * Declarations name their neighbours as `.js`, which every TypeScript resolves; those that nobody can reach stay at home, and so
 * does what explains the inner ones.
 */
const declarations = {
  name: 'declarations',
  generateBundle(_, bundle) {
    const isDeclaration = (file) => file.endsWith('.d.ts')
    for (const file of Object.values(bundle).filter(({ fileName }) => isDeclaration(fileName)))
      file.source = file.source.replace(neighbours, '$1.js')
    const reached = new Set()
    const reach = (name) => {
      const { source } = bundle[name] ?? {}
      if (!source || reached.has(name)) return
      reached.add(name)
      for (const [, path] of source.matchAll(/['"](\.{1,2}\/[^'"]+)\.js['"]/g))
        reach(posix.join(posix.dirname(name), `${path}.d.ts`))
    }
    const names = Object.keys(bundle).filter(isDeclaration)
    for (const name of names) if (!isInternal(name)) reach(name)
    for (const name of names) {
      if (!reached.has(name)) delete bundle[name]
      else if (isInternal(name)) bundle[name].source = bundle[name].source.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
    }
  },
}

/** A command has no types. */
const noDeclarations = {
  name: 'no-declarations',
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (name.endsWith('.d.ts')) delete bundle[name]
  },
}

const build = (folder, dir, plugins = []) => ({
  input: entries(folder),
  external,
  treeshake: false,
  output: {
    dir,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: folder,
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
      declaration: true,
      declarationDir: dir,
      rootDir: folder,
      outDir: dir,
      removeComments: false,
    }),
    computedImports,
    // Nobody steps through the command.
    withoutComments(folder === 'generators'),
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
  build('src', 'dist', [declarations]),
  build('generators', 'dist/generators', [noDeclarations, templates]),
]
