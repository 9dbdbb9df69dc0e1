import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import typescript from '@rollup/plugin-typescript'

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
    ...plugins,
  ],
})

rmSync('dist', { recursive: true, force: true })

/** Templates are read at run time, so they travel beside the code that reads them. */
const templates = {
  name: 'templates',
  writeBundle: () => cpSync('generators/templates', 'dist/generators/templates', { recursive: true }),
}

export default [build('src', 'dist'), build('generators', 'dist/generators', [templates])]
