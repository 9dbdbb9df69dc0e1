import type { CommandSpec, OptionSpec } from './command.ts'
import { usageError } from './errors.ts'
import { didYouMean } from './suggest.ts'

/** The parsed command line: a command, its words, its options as `[name, value]`. */
export interface ParsedLine {
  /** Absent if the line has only `--help` or `--version`, or is empty. */
  readonly command?: CommandSpec
  readonly words: readonly string[]
  readonly options: readonly (readonly [name: string, value: string | true])[]
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
  const line = typed[0] === 'help' ? [...typed.filter((word) => word !== 'help'), '--help'] : typed
  const command = findCommand(line, commands)
  const known = [...(command?.options ?? []), ...COMMON_OPTIONS, VERSION]
  const words: string[] = []
  const options: [string, string | true][] = []
  const rest = line[Symbol.iterator]()
  for (const word of rest) {
    if (word === '--') words.push(...rest)
    else if (/^-./.test(word)) options.push(...readOption(word, known, rest))
    else words.push(word)
  }
  assertOnce(options, known)
  if (command === undefined) return { words, options }
  const asked = new Set(options.map(([name]) => name))
  if (!asked.has('help') && !asked.has('version')) assertCount(command, words.slice(1), asked)
  return { command, words: words.slice(1), options }
}

/** What commands of other tools are called here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['create', 'new'],
  ['init', 'new'],
  ['make', 'generate'],
  ['serve', 'dev'],
  ['start', 'dev'],
  ['watch', 'dev'],
])

/** The first word that is neither an option nor its value is the command. */
const findCommand = (line: readonly string[], commands: readonly CommandSpec[]): CommandSpec | undefined => {
  const place = line.findIndex((item, index) => !item.startsWith('-') && line[index - 1] !== '--cwd')
  const word = line[place]
  if (word === undefined) return undefined
  const found = commands.find((command) => command.name === word || command.alias === word)
  if (found !== undefined) return found
  const names = commands.map((command) => command.name)
  const pair = `${word}:${line[place + 1]}`
  const meant = names.includes(pair) ? pair : (ELSEWHERE.get(word) ?? word)
  throw usageError(`There is no command "${word}".${didYouMean(meant, names)}\nCommands: ${names.join(', ')}`)
}

/** `--name`, `--name=value`, `--name value`, `-n value`, `-abc`: the options that one word stands for. */
const readOption = (
  word: string,
  known: readonly OptionSpec[],
  rest: Iterator<string>,
): readonly [string, string | true][] => {
  const [flag = '', ...values] = word.split('=')
  const long = flag.startsWith('--')
  if (!long && flag.length > 2) return [...flag.slice(1)].flatMap((letter) => readOption(`-${letter}`, known, rest))
  const spec = known.find((option) => (long ? `--${option.name}` === flag : option.letter === flag.slice(1)))
  if (spec === undefined) {
    const names = known.map((option) => `--${option.name}`)
    throw usageError(`There is no option ${flag} here.${didYouMean(flag, names)}\nOptions: ${names.join(', ')}`)
  }
  if (spec.value === undefined) {
    if (values.length > 0) throw usageError(`${flag} takes no value`)
    return [[spec.name, true]]
  }
  const value = values.length > 0 ? values.join('=') : rest.next().value
  if (value === undefined || value === '' || (values.length === 0 && /^-[^0-9]/.test(value))) {
    throw usageError(`${flag} needs a value: ${flag} <${spec.value}>`)
  }
  return [[spec.name, value]]
}

/** A value that is given twice would silently lose to the other one. */
const assertOnce = (options: ParsedLine['options'], known: readonly OptionSpec[]): void => {
  for (const { name } of known.filter(({ value, repeats }) => value !== undefined && !repeats)) {
    const values = options.filter(([given]) => given === name).map(([, value]) => JSON.stringify(value))
    if (values.length > 1) throw usageError(`--${name} is given ${values.length} times: ${values.join(', ')}`)
  }
}

/** An unexpected word. */
export const tooMany = (word: string, usage: string): Error => usageError(`"${word}" is one word too many: ${usage}`)

const assertCount = (command: CommandSpec, words: readonly string[], asked: ReadonlySet<string>): void => {
  const needed = command.args.filter((argument) => argument.startsWith('<'))
  const usage = `sluice ${[command.name, ...command.args].join(' ')}`
  const missing = needed[words.length]
  if (missing !== undefined) throw usageError(command.explain?.(words, asked) ?? `${missing} is missing: ${usage}`)
  const takesMore = command.args.at(-1)?.endsWith('...]')
  if (words.length > command.args.length && !takesMore) throw tooMany(words[command.args.length] ?? '', usage)
}
