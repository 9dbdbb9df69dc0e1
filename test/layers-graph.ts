import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the sources. */
export const root = fileURLToPath(new URL('../src', import.meta.url))

/** Every source file, as a path below `src`. */
export const files: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort()

/** One import of a file. */
export interface Import {
  /** Path below src, `#runtime/…`, or the name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

/** The import and export statements of a file, and its dynamic imports. Comments are left out. */
const importsOf = (file: string): Import[] => {
  const code = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  const statics = Array.from(
    code.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]/gm),
    ([, type, names = '', target]) => ({
      target: target!,
      typeOnly: type !== undefined || /^\{\s*(type [^,}]+,?\s*)+\}$/.test(names.trim()),
    }),
  )
  const dynamic = Array.from(code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g), ([, target]) => ({
    target: target!,
    typeOnly: false,
  }))
  return [...statics, ...dynamic].map(({ target, typeOnly }) => ({
    target: target.startsWith('.') ? posix.join(dirname(file), target) : target,
    typeOnly,
  }))
}

/** Every file with its imports, types included. */
export const graph: ReadonlyMap<string, readonly Import[]> = new Map(files.map((file) => [file, importsOf(file)]))

/** Imports of the files that match, types included, as `file -> target` lines, without those that are allowed. */
export const forbidden = (from: RegExp, allowed: readonly RegExp[]): string[] =>
  [...graph].flatMap(([file, imports]) =>
    from.test(file)
      ? imports
          .filter(({ target }) => !allowed.some((rule) => rule.test(target)))
          .map(({ target }) => `${file} -> ${target}`)
      : [],
  )

/** Every circle of imports, types included, as `a -> b -> a` lines. */
export const circles = (): string[] => {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const { target } of graph.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}
