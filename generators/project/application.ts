import type { App } from '../../src/app/app.ts'
import { type Invocation, textOption } from '../command.ts'
import { CliError, configError, failure } from '../errors.ts'
import { sourceOrBuild } from './folders.ts'
import { importModule } from './loader.ts'
import { applicationPath, projectFile, projectRoot } from './project.ts'

/**
 * Import the application of the project: the export `app`, or the default one.
 *
 * @throws {CliError} with exit code 3 when there is none, 1 when its module throws.
 */
export const importApplication = async (invocation: Invocation): Promise<App> => {
  const root = projectRoot(invocation)
  const file = applicationFile(root, textOption(invocation, 'app'))
  // As in `sluice dev`: this runs during development.
  process.env.NODE_ENV ||= 'development'
  const module = await importAside(root, file)
  const app = [module.app, module.default].find(isApplication)
  if (app !== undefined) return app
  throw configError(`${file} exports no application of createApp(): export const app = createApp()`)
}

/** The given module, else the one of the sources, else the one of the build, which is all that an image has. */
const applicationFile = (root: string, modulePath: string | undefined): string => {
  const source = applicationPath(root)
  const built = source.replace(/^src\//, 'dist/').replace(/tsx?$/, 'js')
  return (modulePath === undefined && sourceOrBuild(root, [source, built])) || projectFile(root, modulePath)
}

/**
 * Import a module of the project. From here on, its output goes to standard error, so that standard output contains
 * only the result of the command.
 *
 * @throws {CliError} with exit code 1 when the module throws.
 */
export const importAside = async (root: string, file: string): Promise<Record<string, unknown>> => {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
  process.chdir(root)
  return importModule(root, file).catch((error: unknown) => {
    if (error instanceof CliError) throw error
    throw failure(
      `${file} threw when it was imported: ${error instanceof Error ? error.message + adviceFor(error) : String(error)}`,
      error,
    )
  })
}

/** Node removes types and does no more; bundlers and tsx also know JSX, enums, and imports without an extension. */
const adviceFor = ({ code, message }: NodeJS.ErrnoException): string => {
  const isKnown =
    /TYPESCRIPT_SYNTAX|DIR_IMPORT/.test(code ?? '') ||
    (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /"\.[jt]sx"/.test(message)) ||
    (code === 'ERR_MODULE_NOT_FOUND' && message.startsWith('Cannot find module'))
  return isKnown
    ? "\nFor JSX, enums, paths and imports without an extension: npm install --save-dev tsx, and set NODE_OPTIONS='--import tsx'"
    : ''
}

const isApplication = (candidate: unknown): candidate is App => {
  const { fetch, plan, routes } = Object(candidate) as Partial<App>
  return typeof fetch === 'function' && typeof routes === 'function' && plan !== undefined
}
