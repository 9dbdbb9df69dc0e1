import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import sade from 'sade'
import { COMMON_OPTIONS, type ParsedLine, parseLine } from './argv.ts'
import type { CommandSpec, Invocation, OptionSpec } from './command.ts'
import { COMMANDS } from './commands.ts'
import { CliError, type ExitCode, usageError } from './errors.ts'
import type { Output } from './output.ts'
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
    // sade shows the help and the version, and finds the command. The arguments were checked before.
    const chosen = program(parsed.command?.name === 'generate' ? parsed.words[0] : undefined).parse(
      ['node', 'sluice', ...canonical(parsed)],
      {
        lazy: true,
        string: textOptions(parsed.command),
      },
    )
    if (chosen === undefined) return 0
    const work: unknown = await chosen.handler(toInvocation(parsed, surroundings))
    return work as ExitCode
  } catch (error) {
    return report(error, line, surroundings)
  }
}

/** The commands, and the help of each; of `generate`, that of one kind where one is named. */
const program = (kind?: string) => {
  const cli = sade('sluice').version(ownVersion())
  for (const option of COMMON_OPTIONS.slice(1)) cli.option(flagOf(option), option.describe)
  for (const command of COMMANDS) {
    cli.command(
      [command.name, ...command.args].join(' '),
      command.describe,
      command.alias ? { alias: command.alias } : {},
    )
    const isFor = (kinds: readonly string[] | undefined): boolean => !kind || !kinds || kinds.includes(kind)
    for (const option of command.options)
      if (isFor(option.kinds)) cli.option(flagOf(option), kind ? option.describe : withKinds(option))
    const examples = command.examples.filter((example) => isFor([example.split(' ')[1]!]))
    for (const example of examples) cli.example(example)
    cli.action(async (invocation: Invocation) => (await command.load())(invocation))
  }
  return cli
}

const withKinds = ({ kinds, describe }: OptionSpec): string => (kinds ? `${describe} (${kinds.join(', ')})` : describe)

const flagOf = (option: { name: string; letter?: string }): string =>
  option.letter === undefined ? `--${option.name}` : `-${option.letter}, --${option.name}`

/** The command, its words, then `--name=value`: an order that sade parses without ambiguity. */
const canonical = ({ command, words, options }: ParsedLine): string[] => {
  const flags = options.map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))
  if (command === undefined && flags.length === 0) return ['--help']
  return [...(command === undefined ? [] : [command.name]), ...words, ...flags]
}

const textOptions = (command: CommandSpec | undefined): string[] =>
  [...(command?.options ?? []), ...COMMON_OPTIONS]
    .filter((option) => option.value !== undefined)
    .map((option) => option.name)

const toInvocation = ({ words, options }: ParsedLine, { cwd, env, output }: Surroundings): Invocation => {
  const given = gather(options)
  const folder = typeof given.cwd === 'string' ? resolve(cwd, given.cwd) : cwd
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--cwd ${given.cwd} is not a folder`)
  return { args: words, options: given, cwd: folder, env, output }
}

/** Options by name. The values of a repeated option are joined by line ends, which no single value contains. */
const gather = (options: ParsedLine['options']): Record<string, string | true> => {
  const given: Record<string, string | true> = {}
  for (const [name, value] of options) {
    const before = given[name]
    given[name] = typeof before === 'string' && typeof value === 'string' ? `${before}\n${value}` : value
  }
  return given
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
