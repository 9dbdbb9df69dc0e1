import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configError } from './errors.ts'

/** Globals by which Bun and Deno are told; both run TypeScript by themselves. */
const RUNTIME = globalThis as { readonly Bun?: unknown; readonly Deno?: unknown }

/** Whether this process can import TypeScript without help: Bun, Deno, Node from 22.18. */
export const stripsTypes = (): boolean =>
  RUNTIME.Bun !== undefined ||
  RUNTIME.Deno !== undefined ||
  typeof (process.features as { typescript?: unknown }).typescript === 'string'

/**
 * Import a module of the project, TypeScript or not.
 *
 * @throws {CliError} with exit code 3 when it is TypeScript and nothing here can run it. Its own errors pass through.
 */
export const importModule = async (root: string, file: string): Promise<Record<string, unknown>> => {
  const url = pathToFileURL(file).href
  if (!/\.[cm]?ts$/.test(file) || stripsTypes()) return import(url)
  const tsx = resolveFrom(root, 'tsx')
  const jiti = tsx === undefined ? resolveFrom(root, 'jiti') : undefined
  if (jiti !== undefined) {
    const module = await import(pathToFileURL(jiti).href)
    return (module.createJiti ?? module.default.createJiti)(join(root, 'package.json')).import(file)
  }
  // tsx hooks into `import` for the whole process when it is imported.
  await import(pathToFileURL(tsx ?? missingHelper()).href)
  return import(url)
}

/** The arguments that make `node` run TypeScript of this project in a process of its own. */
export const typescriptArguments = (root: string): string[] =>
  stripsTypes() ? [] : ['--import', pathToFileURL(resolveFrom(root, 'tsx') ?? missingHelper()).href]

const missingHelper = (): never => {
  throw configError(
    `Node ${process.versions.node} runs no TypeScript by itself: npm install --save-dev tsx, or use Node 22.18 and later`,
  )
}

/** Where a package of the project is, or undefined when it is not installed. */
export const resolveFrom = (root: string, specifier: string): string | undefined => {
  try {
    return createRequire(join(root, 'package.json')).resolve(specifier)
  } catch {
    return undefined
  }
}

/**
 * Import a part of sluice as the project has it, so that its models and this command share one copy; else our own.
 *
 * @throws {CliError} with exit code 3 when neither is there.
 */
export const importSluice = async (root: string, specifier: string): Promise<unknown> => {
  const path = resolveFrom(root, specifier)
  try {
    return await import(path === undefined ? specifier : pathToFileURL(path).href)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw configError(`${(error as Error).message}\nIs everything installed? Run npm install in ${root}`, error)
  }
}
