/** The packages as esbuild reads them: from memory, by the subpaths that each has. */
import type { Plugin } from 'esbuild-wasm'

export interface Pack {
  /** Text by path in the package */
  readonly files: Readonly<Record<string, string>>
  /** Path by subpath; `''` is the root */
  readonly exports: Readonly<Record<string, string>>
}
export type Packs = Readonly<Record<string, Pack>>

const nameOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')

/** `sluice/middleware/cors` as a path: the name of the package and its file. */
const fileOf = (packs: Packs, from: string): string | undefined => {
  const name = nameOf(from)
  const file = packs[name]?.exports[from.slice(name.length + 1)]
  return file === undefined ? undefined : `${name}/${file}`
}

const join = (base: string, path: string): string => new URL(path, `file:///${base}`).pathname.slice(1)

const unknown = (packs: Packs, path: string): string =>
  packs[nameOf(path)]
    ? `"${path}" is not a subpath that this page has.`
    : `"${path}" is not here: this page has ${Object.keys(packs).join(', ')}.`

/** Resolves the imports of the visitor's program, and those of packages among each other. */
export const packages = (packs: Packs): Plugin => ({
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, importer, namespace, kind }) => {
      if (kind === 'entry-point') return { path, namespace: 'user' }
      if (namespace === 'package' && path.startsWith('#runtime/'))
        return { path: `sluice/runtime/edge/${path.slice('#runtime/'.length)}.js`, namespace, sideEffects: false }
      if (namespace === 'package' && path.startsWith('.'))
        return { path: join(importer, path), namespace, sideEffects: false }
      // A browser has none: what a bundle does not use is dropped, as a platform without Node would need it
      if (namespace === 'package' && path.startsWith('node:')) return { path, namespace: 'node', sideEffects: false }
      const file = fileOf(packs, path)
      if (file) return { path: file, namespace: 'package', sideEffects: false }
      return namespace === 'package' ? { path, external: true } : { errors: [{ text: unknown(packs, path) }] }
    })
    build.onLoad({ filter: /.*/, namespace: 'node' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
    build.onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => {
      const name = nameOf(path)
      const contents = packs[name]?.files[path.slice(name.length + 1)]
      return contents === undefined ? { errors: [{ text: `${path} is missing` }] } : { contents, loader: 'js' }
    })
  },
})
