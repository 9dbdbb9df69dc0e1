import { usageError } from './errors.ts'
import { didYouMean } from './suggest.ts'

/**
 * The value of an option with fixed choices.
 *
 * @throws {CliError} with exit code 2 for any other value, with the nearest choice.
 */
export const oneOf = <T extends string>(option: string, value: string, choices: readonly T[]): T => {
  const choice = choices.find((candidate) => candidate === value)
  if (choice !== undefined) return choice
  throw usageError(`${option} must be one of ${choices.join(', ')}, not "${value}".${didYouMean(value, choices)}`)
}
