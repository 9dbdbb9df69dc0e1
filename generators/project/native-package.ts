import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Manifest, readManifest } from './project.ts'

interface PackageManifest extends Manifest {
  /** Settings of napi-rs. */
  readonly napi?: object
}

/** Packages that find the binary of the package which depends on them. */
const FINDERS: readonly string[] = [
  '@mapbox/node-pre-gyp',
  'bindings',
  'detect-libc',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'prebuild-install',
]

/**
 * Tells whether a file belongs to an installed package that loads a native binary, which it looks for beside its own
 * files. Reads each package.json once.
 */
export const nativePackages = (): ((file: string) => boolean) => {
  const known = new Map<string, boolean>()
  const holdsNative = (folder: string): boolean => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const manifest: PackageManifest = readManifest(folder)
    const parent = dirname(folder)
    // Packages may contain other `package.json` files, without a name.
    const isNative = manifest.name === undefined ? parent !== folder && holdsNative(parent) : loads(folder, manifest)
    known.set(folder, isNative)
    return isNative
  }
  return (file) => /[\\/]node_modules[\\/]/.test(file) && (file.endsWith('.node') || holdsNative(dirname(file)))
}

const loads = (folder: string, { napi, dependencies = {} }: PackageManifest): boolean =>
  napi !== undefined ||
  existsSync(join(folder, 'binding.gyp')) ||
  FINDERS.some((name) => Object.hasOwn(dependencies, name))
