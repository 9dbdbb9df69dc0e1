import { parseArgs } from 'node:util'
import type { CommandSpec, Invocation, OptionSpec } from './command.ts'
import { usageError } from './errors.ts'
import { didYouMean } from './suggest.ts'

/** The parsed command line: a command, its words, its options. */
export interface ParsedLine {
  /** Absent if the line has only `--help` or `--version`, or is empty. */
  readonly command?: CommandSpec
  readonly words: readonly string[]
  readonly passedOn: readonly string[]
  readonly options: Invocation['options']
}

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'help', letter: 'h', describe: 'Displays this message' },
  { name: 'cwd', value: 'folder', describe: 'Work in this folder instead of the current one' },
]

const VERSION: OptionSpec = { name: 'version', letter: 'v', describe: 'Displays the version' }

/**
 * Parse the words of a command line, and refuse undeclared ones.
 *
 * @throws {CliError} with exit code 2 for an unknown command or option, a missing value or argument, or one too many.
 */
export const parseLine = (typed: readonly string[], commands: readonly CommandSpec[]): ParsedLine => {
  // Of `help help` remains `--help`
  const args = typed[0] === 'help' ? ['--help', ...typed.filter((word) => word !== 'help')] : [...typed]
  const command = findCommand(args, commands)
  const dashes = command?.passesOn ? args.indexOf('--', args.indexOf(command.name)) : -1
  const end = dashes < 0 ? args.length : dashes
  const specs = [...(command?.options ?? []), ...COMMON_OPTIONS, VERSION]
  const { words, options } = readOptions(args.slice(0, end), specs)
  const passedOn = args.slice(end + 1)
  if (command === undefined) return { words, passedOn, options }
  if (!options.help && !options.version) assertCount(command, words.slice(1))
  return { command, words: words.slice(1), passedOn, options }
}

/** The first word that is neither an option nor its value is the command. */
const findCommand = (line: readonly string[], commands: readonly CommandSpec[]): CommandSpec | undefined => {
  const word = line.find((item, index) => !item.startsWith('-') && line[index - 1] !== '--cwd')
  if (word === undefined) return undefined
  const command = commands.find(({ name, alias }) => name === word || alias === word)
  if (command !== undefined) return command
  const names = commands.map(({ name }) => name)
  throw usageError(`There is no command "${word}".${didYouMean(word, names)}\nCommands: ${names.join(', ')}`)
}

/** The values of an option that may be repeated are joined by line ends, which none of them contains. */
const readOptions = (args: string[], specs: readonly OptionSpec[]): Omit<ParsedLine, 'command' | 'passedOn'> => {
  const types = specs.map(({ name, letter, value }) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(letter !== undefined && { short: letter }) },
  ])
  // Not strict, because its errors do not say which option was meant, and it refuses a value such as -5
  const { positionals, tokens } = parseArgs({ args, options: Object.fromEntries(types), strict: false, tokens: true })
  const options: Record<string, string | true> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName: flag, value, inlineValue } = token
    const spec = specs.find((option) => option.name === name)
    if (spec === undefined) {
      const names = specs.map((option) => `--${option.name}`)
      throw usageError(`There is no option ${flag} here.${didYouMean(flag, names)}\nOptions: ${names.join(', ')}`)
    }
    const before = options[name]
    if (spec.value === undefined && inlineValue) throw usageError(`${flag} takes no value`)
    if (spec.value !== undefined && (!value || (!inlineValue && /^-[^0-9]/.test(value))))
      throw usageError(`${flag} needs a value: ${flag} <${spec.value}>`)
    if (spec.value !== undefined && before !== undefined && !spec.repeats)
      throw usageError(`${flag} is given more than once`)
    options[name] = before === undefined || value === undefined ? (value ?? true) : `${before}\n${value}`
  }
  return { words: positionals, options }
}

/** An unexpected word. */
export const tooMany = (word: string, usage: string): Error => usageError(`"${word}" is one word too many: ${usage}`)

const assertCount = ({ name, args, describe }: CommandSpec, words: readonly string[]): void => {
  const usage = `sluice ${[name, ...args].join(' ')}`
  const missing = args.filter((argument) => argument.startsWith('<'))[words.length]
  if (missing !== undefined) throw usageError(`${missing} is missing: ${usage}\n${describe}`)
  if (words.length > args.length && !args.at(-1)?.endsWith('...]')) throw tooMany(words[args.length] ?? '', usage)
}
