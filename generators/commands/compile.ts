import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { importAside } from '../application.ts'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../command.ts'
import { type Compiled, type WrittenModule, writeModule } from '../compile/module.ts'
import { sourceMap } from '../compile/source-map.ts'
import { CliError, configError, type ExitCode, failure, usageError } from '../errors.ts'
import { table } from '../output.ts'
import { projectRoot } from '../project.ts'

/** `sluice compile <module>`: the schemas that a module exports, as plain code beside it. */
export const compile: RunCommand = async (invocation): Promise<ExitCode> => {
  const { args, cwd, output } = invocation
  const file = resolve(cwd, args[0]!)
  if (!existsSync(file)) throw configError(`There is no ${args[0]}`)
  const out = resolve(cwd, textOption(invocation, 'out') ?? file.replace(/(\.[^.]+)$/, '.compiled$1'))
  if (out === file) throw usageError('--out is another file than the module with the schemas')
  const from = textOption(invocation, 'from') ?? besides(relative(dirname(out), file))
  const written = writeModule(await importAside(projectRoot(invocation), file), readFileSync(file, 'utf8'), from)
  const files = filesOf(written, file, out)
  if (hasSwitch(invocation, 'check')) checkUpToDate(files, out, args[0]!)
  else if (!hasSwitch(invocation, 'report')) write(files)
  tell(written.report, relative(cwd, out), invocation)
  if (hasSwitch(invocation, 'check') && !hasSwitch(invocation, 'json')) output.line(`${basename(out)} is up to date`)
  return 0
}

const besides = (path: string): string => {
  const plain = path.replaceAll('\\', '/')
  return plain.startsWith('.') ? plain : `./${plain}`
}

/** The module and, for JavaScript, its source map. TypeScript is not checked in it: its types are those of the schemas. */
const filesOf = ({ text, lines }: WrittenModule, file: string, out: string): Record<string, string> => {
  const head = [`// Made by sluice compile from ${basename(file)}; after a change there it has to be made again.`]
  if (/\.[cm]?ts$/.test(out)) return { [out]: `${[...head, '// @ts-nocheck'].join('\n')}\n${text}` }
  const map = sourceMap(besides(relative(dirname(out), file)), [undefined, ...lines])
  const foot = `//# sourceMappingURL=${basename(out)}.map\n`
  return { [out]: `${head[0]}\n${text}${foot}`, [`${out}.map`]: `${JSON.stringify(map)}\n` }
}

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    } catch (error) {
      throw failure(`${path} cannot be written: ${(error as Error).message}`, error)
    }
  }
}

/** @throws {CliError} with exit code 4 when a file differs from what would be written. */
const checkUpToDate = (files: Readonly<Record<string, string>>, out: string, module: string): void => {
  const stale = Object.entries(files).some(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  if (stale) throw new CliError(4, `${basename(out)} is not what ${module} says: sluice compile ${module}`)
}

const tell = (report: readonly Compiled[], out: string, invocation: Invocation): void => {
  const { output } = invocation
  if (hasSwitch(invocation, 'json')) output.line(JSON.stringify({ ok: true, out, schemas: report }, null, 2))
  else if (hasSwitch(invocation, 'report')) {
    const rows = report.flatMap(({ names, type, state, fallbacks }) => [
      [names.join(', '), type, WORDS[state]],
      ...fallbacks.map(({ path, reason }) => [`  ${path || '(itself)'}`, '', reason]),
    ])
    for (const line of table(rows)) output.line(line)
  } else if (!hasSwitch(invocation, 'check')) {
    const compiled = report.filter(({ state }) => state !== 'interpreted').length
    output.line(`Wrote ${out}: ${compiled} of ${report.length} schemas compiled`)
  }
}

const WORDS = { whole: 'compiled', part: 'compiled, but for:', interpreted: 'interpreted:' } as const
