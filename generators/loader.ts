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

/** The helpers that a project on an older Node may have, the first that is found is used. */
const HELPERS = ['tsx/esm/api', 'jiti'] as const

/**
 * Import a module of the project, TypeScript or not.
 *
 * @throws {CliError} with exit code 3 when it is TypeScript and nothing here can run it. Its own errors pass through.
 */
export const importModule = async (root: string, file: string): Promise<Record<string, unknown>> => {
  const url = pathToFileURL(file).href
  if (!/\.[cm]?ts$/.test(file) || stripsTypes()) return import(url)
  const [helper, path] = findHelper(root)
  const tool = await import(pathToFileURL(path).href)
  if (helper === 'jiti') return tool.createJiti(pathToFileURL(join(root, 'package.json')).href).import(file)
  if (!hooked) tool.register()
  hooked = true
  return import(url)
}

/** tsx hooks into `import` for the whole process, once. */
let hooked = false

/** The arguments that make `node` run TypeScript of this project in a process of its own. */
export const typescriptArguments = (root: string): string[] =>
  stripsTypes() ? [] : ['--import', pathToFileURL(resolveFrom(root, 'tsx') ?? findHelper(root)[1]).href]

const findHelper = (root: string): [(typeof HELPERS)[number], string] => {
  for (const helper of HELPERS) {
    const path = resolveFrom(root, helper)
    if (path !== undefined) return [helper, path]
  }
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
