import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configError } from '../errors.ts'

/** Globals that identify Bun and Deno, which both run TypeScript. */
const RUNTIME = globalThis as { readonly Bun?: unknown; readonly Deno?: unknown }

/** Whether this process can import TypeScript without help: Bun, Deno, Node from 22.18. */
export const stripsTypes = (): boolean =>
  RUNTIME.Bun !== undefined ||
  RUNTIME.Deno !== undefined ||
  typeof (process.features as { typescript?: unknown }).typescript === 'string'

/** Whether this process can import the TypeScript of a project, by itself or with a package of the project. */
export const runsTypeScript = (root: string): boolean => stripsTypes() || resolveFrom(root, 'tsx') !== undefined

/**
 * Import a module of the project, TypeScript or not.
 *
 * @throws {CliError} with exit code 3 if it is TypeScript and this process cannot run it. Errors of the module are
 * thrown unchanged.
 */
export const importModule = async (root: string, file: string): Promise<Record<string, unknown>> => {
  const url = pathToFileURL(file).href
  if (!/\.[cm]?tsx?$/.test(file) || stripsTypes()) return import(url)
  // Importing tsx changes `import` for the whole process.
  await import(pathToFileURL(resolveFrom(root, 'tsx') ?? missingHelper()).href)
  return import(url)
}

/** The arguments with which a new `node` process can run the TypeScript of this project. */
export const typescriptArguments = (root: string): string[] =>
  stripsTypes() ? [] : ['--import', pathToFileURL(resolveFrom(root, 'tsx') ?? missingHelper()).href]

const missingHelper = (): never => {
  throw configError(
    `Node ${process.versions.node} cannot run TypeScript: npm install --save-dev tsx, or use Node 22.18 or later`,
  )
}

/** The path of a package of the project, or undefined if it is not installed. */
export const resolveFrom = (root: string, specifier: string): string | undefined => {
  try {
    return createRequire(join(root, 'package.json')).resolve(specifier)
  } catch {
    return undefined
  }
}

/** Modules of sluice that are imported from the project, and whose types are those of these sources. */
interface SluiceModules {
  readonly 'sluice/client-address': typeof import('../../src/client-address.ts')
  readonly 'sluice/database': typeof import('../../src/database.ts')
  readonly 'sluice/env': typeof import('../../src/env.ts')
  readonly 'sluice/html': typeof import('../../src/html.ts')
  readonly 'sluice/openapi': typeof import('../../src/openapi.ts')
  readonly 'sluice/pipe': typeof import('../../src/pipe.ts')
}

type SluiceModule<Name> = Name extends keyof SluiceModules ? SluiceModules[Name] : unknown

/** Imports a module of sluice by its subpath. */
export type ImportSluice = <Name extends string>(name: Name) => Promise<SluiceModule<Name>>

/**
 * Import a module of the project's own sluice, so that its models and this command share one copy. Without one, import
 * that of this command.
 *
 * @throws {CliError} with exit code 3 if neither exists.
 */
export const importSluice = async <Name extends string>(root: string, specifier: Name): Promise<SluiceModule<Name>> => {
  const path = resolveFrom(root, specifier)
  try {
    return await import(path === undefined ? specifier : pathToFileURL(path).href)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw configError(`${(error as Error).message}\nIs everything installed? Run npm install in ${root}`, error)
  }
}

/**
 * The variables of the project's `.env` and `.env.local`, which also become those of this process, unless it has them.
 */
export const loadProjectEnv = async (root: string): Promise<Readonly<Record<string, string | undefined>>> => {
  const { loadEnv } = await importSluice(root, 'sluice/env')
  return loadEnv({ path: join(root, '.env') })
}
