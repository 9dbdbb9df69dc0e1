import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PlannedFile } from './write.ts'

/** A command with its arguments, for a file. The command reads the file from its input, and writes it to its output. */
type Formatter = (path: string) => readonly string[]

/** The formatters that are known, the first of which a project uses: package, command in it, arguments. */
const FORMATTERS: readonly (readonly [name: string, bin: string, args: (path: string) => readonly string[]])[] = [
  [
    '@biomejs/biome',
    'biome',
    (path) => ['check', '--write', '--linter-enabled=false', '--log-level=none', `--stdin-file-path=${path}`],
  ],
  ['prettier', 'prettier', (path) => ['--stdin-filepath', path]],
  ['oxfmt', 'oxfmt', (path) => [`--stdin-filepath=${path}`]],
]

/** The names of files that are formatted: code and data. */
const FORMATTED = /\.(?:[cm]?tsx?|json)$/

/** How long a formatter may take for a file, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Format files with the formatter of the project: biome, else prettier, else oxfmt. Without one, and where it fails, a
 * file stays as it was rendered. An edit is formatted only if the file was before it, so that no other line changes.
 * With `again`, files that are already there as they were rendered are formatted too.
 */
export const formatFiles = async (
  root: string,
  files: readonly PlannedFile[],
  { again = false }: { readonly again?: boolean } = {},
): Promise<readonly PlannedFile[]> => {
  const formatter = findFormatter(root)
  if (formatter === undefined) return files
  return Promise.all(
    files.map(async (file): Promise<PlannedFile> => {
      const path = join(root, file.path)
      const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      if (!FORMATTED.test(file.path) || (before === file.contents && !again)) return file
      const current = before?.replaceAll('\r\n', '\n')
      const isEdit = file.edit && current !== undefined
      if (isEdit && (await formatted(root, formatter, file.path, current)) !== current) return file
      return { ...file, contents: (await formatted(root, formatter, file.path, file.contents)) ?? file.contents }
    }),
  )
}

/** A text as the formatter gives it; undefined if it fails. */
const formatted = (root: string, formatter: Formatter, path: string, text: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const [program = '', ...args] = formatter(path)
    const child = spawn(program, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => {
      const output = Buffer.concat(chunks).toString()
      resolve(code === 0 && output.trim() !== '' ? output : undefined)
    })
    // It may end before it has read everything
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })

const findFormatter = (root: string): Formatter | undefined => {
  for (const [name, bin, args] of FORMATTERS) {
    const manifest = manifestOf(root, name)
    if (manifest === undefined) continue
    const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: string | Record<string, string> }
    const script = typeof bins === 'string' ? bins : bins?.[bin]
    if (script === undefined) continue
    const program = nativeBiome(manifest) ?? [process.execPath, join(dirname(manifest), script)]
    return (path) => [...program, ...args(path)]
  }
  return undefined
}

/** The package.json of a package that is installed for a project, or for a folder above it. */
const manifestOf = (root: string, name: string): string | undefined => {
  for (let folder = root; ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest)) return realpathSync(manifest)
    if (folder === dirname(folder)) return undefined
  }
}

/** Biome's own program: the script that starts it takes several times as long as a file. */
const nativeBiome = (manifest: string): readonly string[] | undefined => {
  const ending = process.platform === 'win32' ? '.exe' : ''
  try {
    const { resolve } = createRequire(manifest)
    return [resolve(`@biomejs/cli-${process.platform}-${process.arch}/biome${ending}`)]
  } catch {
    return undefined
  }
}
