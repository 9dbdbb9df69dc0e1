import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

/** CommonJS code in an ES module loads built-in modules with `require`, which only CommonJS has. */
export const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

const BUILT_IN = new RegExp(`^(?:node:.+|(?:${builtinModules.filter((name) => /^[a-z]/.test(name)).join('|')}))$`)

/**
 * Built-in modules stay imports, by the name with `node:`, which Deno and Workers need. Workers have no `require`, so
 * there `require` returns what an import would.
 */
export const builtIns = (withoutRequire: boolean): Plugin => ({
  name: 'sluice-built-ins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: BUILT_IN }, ({ path, kind }) => {
      const full = path.startsWith('node:') ? path : `node:${path}`
      if (withoutRequire && kind === 'require-call') return { path: full, namespace: 'built-in' }
      return { path: full, external: true }
    })
    // The assignment makes esbuild treat the file as CommonJS; it still hoists the import
    onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => ({
      contents: `import whole from ${JSON.stringify(path)}\nmodule.exports = whole\n`,
    }))
  },
})

/** Packages with a native binary, which cannot be part of a module, and modules that only other runtimes have. */
export const SEPARATE: string[] = [
  ...['@node-rs/*', '@photostructure/sqlite', 'argon2', 'bcrypt', 'better-sqlite3', 'canvas', 'sharp', 'sqlite3'],
  ...['bun', 'bun:*', 'cloudflare:*', 'jsr:*', 'npm:*'],
]

/** A package that is loaded on demand and is not installed stays an import: a driver that the project does not use. */
export const absentPackages = (): Plugin => ({
  name: 'sluice-absent-packages',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^(?:@[^/]+\/)?[a-z][^/:]*(?:\/.*)?$/i }, async ({ path, pluginData, ...place }) => {
      if (place.kind !== 'dynamic-import' || pluginData !== undefined) return undefined
      // The data marks this call, which comes here again
      const { errors } = await resolve(path, { ...place, pluginData: absentPackages })
      return errors.length > 0 ? { path, external: true } : undefined
    })
  },
})
