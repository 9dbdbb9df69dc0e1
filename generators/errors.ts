/** What the process leaves with: 0 done, 1 failed, 2 asked wrongly, 3 misconfigured, 4 refused by the database, or different: `db:diff`, `--check`. */
export type ExitCode = 0 | 1 | 2 | 3 | 4

/** A failure that the command explains itself: its message is for the reader, its code for the shell. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The work was understood and could not be done: exit 1. */
export const failure = (message: string, cause?: unknown): CliError => new CliError(1, message, { cause })

/** The command line makes no sense: exit 2. */
export const usageError = (message: string): CliError => new CliError(2, message)

/** The project or its environment lacks something: exit 3. */
export const configError = (message: string, cause?: unknown): CliError => new CliError(3, message, { cause })

/** The database said no: exit 4. */
export const databaseError = (message: string, cause?: unknown): CliError => new CliError(4, message, { cause })
