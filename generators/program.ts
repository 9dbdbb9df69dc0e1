import { resolve } from 'node:path'
import sade from 'sade'
import { COMMON_OPTIONS, type ParsedLine, parseLine } from './argv.ts'
import type { CommandSpec, Invocation, OptionSpec } from './command.ts'
import { COMMANDS } from './commands.ts'
import { CliError, type ExitCode, usageError } from './errors.ts'
import type { Output } from './output.ts'
import { isFolder } from './project/folders.ts'
import { ownVersion } from './version.ts'

/** The environment of one run, which tests replace. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: Output
}

/**
 * Run one command line and return its exit code.
 *
 * @param line The words after `sluice`.
 * @example
 * const code = await run(['g', 'model', 'User'], { cwd: process.cwd(), env: process.env, output: processOutput() })
 */
export const run = async (line: readonly string[], surroundings: Surroundings): Promise<ExitCode> => {
  try {
    const parsed = parseLine(line, COMMANDS)
    const { command, words, options } = parsed
    if (command !== undefined && !options.help && !options.version)
      return await (await command.load())(toInvocation(parsed, surroundings))
    showHelp(command, words[0], options.version && !options.help ? '--version' : '--help')
    return 0
  } catch (error) {
    return report(error, line, surroundings)
  }
}

/** Print the version, or the help: of all commands, of one, or of `generate` with the options of one kind. */
const showHelp = (command: CommandSpec | undefined, word: string | undefined, flag: string): void => {
  const kind = command?.name === 'generate' ? word : undefined
  const isFor = (kinds: readonly string[] | undefined): boolean => !kind || !kinds || kinds.includes(kind)
  const cli = sade('sluice').version(ownVersion())
  for (const option of COMMON_OPTIONS.slice(1)) cli.option(flagOf(option), option.describe)
  for (const { name, args, describe, alias, options, examples } of COMMANDS) {
    cli.command([name, ...args].join(' '), describe, alias ? { alias } : {})
    for (const option of options.filter(({ kinds }) => isFor(kinds)))
      cli.option(flagOf(option), kind ? option.describe : withKinds(option))
    for (const example of examples.filter((each) => isFor([each.split(' ')[1]!]))) cli.example(example)
  }
  cli.parse(['node', 'sluice', ...(command ? [command.name] : []), flag])
}

const withKinds = ({ kinds, describe }: OptionSpec): string => (kinds ? `${describe} (${kinds.join(', ')})` : describe)

const flagOf = (option: { name: string; letter?: string }): string =>
  option.letter === undefined ? `--${option.name}` : `-${option.letter}, --${option.name}`

const toInvocation = ({ words, passedOn, options }: ParsedLine, { cwd, env, output }: Surroundings): Invocation => {
  const folder = typeof options.cwd === 'string' ? resolve(cwd, options.cwd) : cwd
  if (!isFolder(folder)) throw usageError(`--cwd ${options.cwd} is not a folder`)
  return { args: words, passedOn, options, cwd: folder, env, output }
}

/**
 * Failures are written to standard error. With `--json` they are also the result, so that a program never reads a
 * partial report.
 */
const report = (error: unknown, line: readonly string[], { env, output }: Surroundings): ExitCode => {
  const exitCode = error instanceof CliError ? error.exitCode : 1
  const message = error instanceof Error ? error.message : String(error)
  if (line.includes('--json')) output.line(JSON.stringify({ ok: false, error: { message, exitCode } }))
  output.note(`sluice: ${message}`)
  if (env.DEBUG && error instanceof Error) output.note(stackOf(error))
  return exitCode
}

const stackOf = (error: Error): string =>
  [error.stack, ...(error.cause instanceof Error ? [`caused by ${stackOf(error.cause)}`] : [])].join('\n')
