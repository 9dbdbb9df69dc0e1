/**
 * Exit codes: 0 success, 1 failed, 2 invalid command line, 3 wrong configuration, 4 database error, or a difference
 * found by `db:diff` or `--check`.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4

/** A failure with a message for the user, and an exit code for the shell. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The command was valid but failed: exit 1. */
export const failure = (message: string, cause?: unknown): CliError => new CliError(1, message, { cause })

/** The command line is not valid: exit 2. */
export const usageError = (message: string): CliError => new CliError(2, message)

/** The project or its environment lacks something: exit 3. */
export const configError = (message: string, cause?: unknown): CliError => new CliError(3, message, { cause })

/** The database or a migration failed: exit 4. */
export const databaseError = (message: string, cause?: unknown): CliError => new CliError(4, message, { cause })
