import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the sources. */
export const root = fileURLToPath(new URL('../src', import.meta.url))

/** The TypeScript files of a folder, as paths below it. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

/** Every source file, as a path below `src`. */
export const files: readonly string[] = filesOf(root)

/** One import of a file. */
export interface Import {
  /** Path below src, `#runtime/…`, or the name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

/** The import and export statements of a file, and its dynamic imports. Comments are left out. */
const importsOf = (folder: string, file: string): Import[] => {
  const code = readFileSync(join(folder, file), 'utf8')
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
  // The mode is a literal of each build
  return [...statics, ...dynamic]
    .filter(({ target }) => target !== '#mode')
    .map(({ target, typeOnly }) => ({
      target: target.startsWith('.') ? posix.join(dirname(file), target) : target,
      typeOnly,
    }))
}

type Graph = ReadonlyMap<string, readonly Import[]>

/** Every file of a folder with its imports, types included. */
const graphOf = (folder: string): Graph => new Map(filesOf(folder).map((file) => [file, importsOf(folder, file)]))

/** Every source file with its imports. */
export const graph: Graph = graphOf(root)

/** Every file of the command with its imports. */
export const generators: Graph = graphOf(fileURLToPath(new URL('../generators', import.meta.url)))

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
export const circles = (of: Graph): string[] => {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const { target } of of.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of of.keys()) visit(file, [])
  return found
}
