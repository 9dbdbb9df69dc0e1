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

/** True for a file of an installed package that loads a native binary, which it looks for beside its own files. */
export const isNative = (file: string): boolean => {
  const folder = packageOf(file)
  if (folder === undefined) return false
  const { napi, dependencies }: PackageManifest = readManifest(folder)
  return (
    file.endsWith('.node') ||
    napi !== undefined ||
    existsSync(join(folder, 'binding.gyp')) ||
    FINDERS.some((name) => dependencies !== undefined && Object.hasOwn(dependencies, name))
  )
}

/** The folder of the package that a file belongs to; packages may contain other `package.json` files, without a name. */
const packageOf = (file: string): string | undefined => {
  if (!/[\\/]node_modules[\\/]/.test(file)) return undefined
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (readManifest(folder).name !== undefined) return folder
  return undefined
}
