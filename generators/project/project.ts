import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Invocation } from '../command.ts'
import { configError } from '../errors.ts'

/** The parts of a package.json that are read here. */
interface Manifest {
  readonly name?: string
  readonly version?: string
  /** Settings of the project: the module that exports the application. @default 'src/app.ts' */
  readonly sluice?: { readonly app?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/**
 * The folder that a command works in: that of `--cwd`, else the nearest folder upwards whose package.json depends on
 * sluice, else the current one.
 */
export const projectRoot = ({ cwd, options }: Invocation): string => {
  if (options.cwd !== undefined) return cwd
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (dependsOnSluice(readManifest(folder))) return folder
  }
  return cwd
}

/** True if the folder has a package.json that depends on sluice, sluice itself, or the settings of a Deno project. */
export const isProject = (root: string): boolean =>
  dependsOnSluice(readManifest(root)) ||
  ['node_modules/sluice', 'deno.json', 'deno.jsonc'].some((file) => existsSync(join(root, file)))

const dependsOnSluice = ({ name, dependencies, devDependencies }: Manifest): boolean =>
  name === 'sluice' || { ...dependencies, ...devDependencies }.sluice !== undefined

/**
 * Read a project's package.json; an absent one is empty.
 *
 * @throws {CliError} with exit code 3 when it is not JSON.
 */
export const readManifest = (root: string): Manifest => {
  const path = join(root, 'package.json')
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch (error) {
    throw configError(`${path} is not JSON: ${(error as Error).message}`, error)
  }
}

/** The module that exports the application, relative to the project. */
export const applicationPath = (root: string): string =>
  (readManifest(root).sluice?.app ?? 'src/app.ts').replace(/^\.\//, '')

/**
 * The absolute path of a module: the given one, else the one that exports the application.
 *
 * @throws {CliError} with exit code 3 when there is no such file.
 */
export const projectFile = (root: string, modulePath?: string): string => {
  const path = modulePath ?? applicationPath(root)
  const file = resolve(root, path)
  const status = statSync(file, { throwIfNoEntry: false })
  if (status?.isDirectory()) throw configError(`${path} is a folder: name the module in it`)
  if (status !== undefined) return file
  throw configError(`There is no ${path}; ${remedyFor(root, modulePath)}`)
}

const remedyFor = (root: string, modulePath: string | undefined): string => {
  if (modulePath !== undefined) return `the path starts at ${root}`
  return isProject(root)
    ? 'package.json may set another: "sluice": { "app": "…" }'
    : 'no package.json here depends on sluice: go to the folder of a project, or "sluice new <name>" starts one'
}
