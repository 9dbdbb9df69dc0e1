import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version of sluice, from its package.json: one folder above the sources, two above the built command. */
export const ownVersion = (): string => {
  for (const up of ['../package.json', '../../package.json']) {
    const manifest = readManifest(fileURLToPath(new URL(up, import.meta.url)))
    if (manifest?.name === 'sluice' && manifest.version !== undefined) return manifest.version
  }
  return '0.0.0'
}

/**
 * What a new project depends on: this version, or the tarball that this command was installed from, which the registry
 * may not have.
 *
 * @param moduleFile path of a file of this command
 */
export const ownSpecifier = (moduleFile: string = fileURLToPath(import.meta.url)): string => {
  const file = tarballOf(moduleFile)
  return file === undefined ? `^${ownVersion()}` : `file:${file}`
}

const MODULES = `${sep}node_modules${sep}`

/**
 * Looks in each folder that has a `node_modules` around the command: that of pnpm is two levels below the project's.
 */
const tarballOf = (moduleFile: string): string | undefined => {
  for (let end = moduleFile.lastIndexOf(MODULES); end > 0; end = moduleFile.lastIndexOf(MODULES, end - 1)) {
    const root = moduleFile.slice(0, end)
    const { dependencies, devDependencies } = readManifest(join(root, 'package.json')) ?? {}
    const specifier: unknown = dependencies?.sluice ?? devDependencies?.sluice
    if (typeof specifier !== 'string' || !specifier.startsWith('file:')) continue
    const file = resolve(root, specifier.slice('file:'.length))
    if (existsSync(file)) return file
  }
  return undefined
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, unknown>>
  readonly devDependencies?: Readonly<Record<string, unknown>>
}

/** A package.json; undefined if there is none, or it is not JSON. */
const readManifest = (path: string): Manifest | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
