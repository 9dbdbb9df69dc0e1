import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasSwitch, type Invocation, type RunCommand } from '../command.ts'
import { configError, type ExitCode, usageError } from '../errors.ts'
import { resolveFrom } from '../loader.ts'
import { type Ported, portHono } from '../migrate/hono.ts'
import type { TypeScript } from '../migrate/port.ts'
import { projectRoot } from '../project.ts'
import { didYouMean } from '../suggest.ts'
import { writeFiles } from '../write.ts'

/** The libraries whose modules can be moved. */
const LIBRARIES: readonly string[] = ['hono']

/** A module by its path in the project. */
type Moved = Ported & { readonly path: string }

/** `sluice migrate hono [path...]`: rewrite what has one counterpart, and say what is left. */
export const migrate: RunCommand = async (invocation): Promise<ExitCode> => {
  const { args, output } = invocation
  const [library = '', ...paths] = args
  if (!LIBRARIES.includes(library))
    throw usageError(
      `No migration from "${library}".${didYouMean(library, LIBRARIES)}\nLibraries: ${LIBRARIES.join(', ')}`,
    )
  const root = projectRoot(invocation)
  const ts = await loadTypeScript(root)
  const moved = filesOf(invocation, paths).flatMap((file): Moved[] => {
    const ported = portHono(ts, file, readFileSync(file, 'utf8'))
    return ported ? [{ ...ported, path: relative(root, file).replaceAll('\\', '/') }] : []
  })
  const dryRun = hasSwitch(invocation, 'dry-run')
  const files = moved.map(({ path, text }) => ({ path, contents: text, edit: true }))
  const written = writeFiles(root, files, { dryRun })
  const left = moved.flatMap(({ path, notes }) => notes.map((note) => ({ path, ...note })))
  if (hasSwitch(invocation, 'json')) {
    output.line(JSON.stringify({ ok: true, dryRun, root, files: written, left }, null, 2))
    return 0
  }
  if (moved.length === 0) output.line('No module imports hono')
  for (const { path, action } of written) output.line(`${action.padEnd(9)} ${path}`)
  if (left.length) output.line(`\nLeft to you, ${left.length} ${left.length === 1 ? 'place' : 'places'}:`)
  for (const { path, line, text } of left) output.line(`  ${path}:${line}  ${text}`)
  if (dryRun) output.note('Nothing was written: this was a dry run.')
  return 0
}

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

/** The modules that were named, those below folders that were named; `src` where nothing was. */
const filesOf = ({ cwd }: Invocation, paths: readonly string[]): string[] => {
  const given = paths.length ? paths : ['src']
  return given.flatMap((path) => {
    const full = resolve(cwd, path)
    if (!existsSync(full)) throw usageError(`There is no ${path}: name the modules, or the folders, to move`)
    if (!statSync(full).isDirectory()) return [full]
    return readdirSync(full, { recursive: true, encoding: 'utf8' })
      .filter((name) => SOURCE.test(name) && !/(^|[\\/])node_modules[\\/]/.test(name))
      .sort()
      .map((name) => join(full, name))
      .filter((file) => statSync(file).isFile())
  })
}

/** @throws {CliError} with exit code 3 without a TypeScript whose parser can be called. */
const loadTypeScript = async (root: string): Promise<TypeScript> => {
  const path = resolveFrom(root, 'typescript')
  const module = path === undefined ? undefined : await import(pathToFileURL(path).href)
  const ts: TypeScript | undefined = module?.createSourceFile ? module : module?.default
  if (ts?.createSourceFile) return ts
  throw configError('Modules are read with TypeScript 5 or 6: npm install --save-dev typescript@6')
}
