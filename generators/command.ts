import type { ExitCode } from './errors.ts'
import type { Output } from './output.ts'

/** An option of a command, for the help and for the parser. */
export interface OptionSpec {
  /** Long name without dashes. */
  readonly name: string
  /** One letter, without the dash. */
  readonly letter?: string
  /** Placeholder of the value in the help; an option without one is a switch. */
  readonly value?: string
  /** It may be given more than once. @default false */
  readonly repeats?: boolean
  /** What `generate` can be asked for with it. @default everything */
  readonly kinds?: readonly string[]
  readonly describe: string
}

/** A command as data: its name, arguments and help. Its code is loaded only when it runs. */
export interface CommandSpec {
  readonly name: string
  readonly alias?: string
  /** Names of the arguments: `<required>`, then `[optional]`, then `[any...]` number of words. */
  readonly args: readonly string[]
  readonly describe: string
  /** The words after `--` are for a program that the command runs. @default false: they are arguments */
  readonly passesOn?: boolean
  readonly options: readonly OptionSpec[]
  readonly examples: readonly string[]
  readonly load: () => Promise<RunCommand>
}

/** The arguments of a command. */
export interface Invocation {
  /** The words after the command, in order. */
  readonly args: readonly string[]
  /** The words after `--` of a command that passes them on. */
  readonly passedOn: readonly string[]
  /** Switches are `true`, options with a value are strings; options that were not given are absent. */
  readonly options: Readonly<Record<string, string | true | undefined>>
  /** Folder that the command works in, absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: Output
}

/** The function of a command. Failures are thrown as a CliError. */
export type RunCommand = (invocation: Invocation) => Promise<ExitCode> | ExitCode

/** The text of an option that takes a value. */
export const textOption = (invocation: Invocation, name: string): string | undefined => {
  const value = invocation.options[name]
  return value === true ? undefined : value
}

/** Whether a switch was set. */
export const hasSwitch = (invocation: Invocation, name: string): boolean => invocation.options[name] === true
