import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { explainAbort } from './scope.ts'

/**
 * Commit. After a failed statement, `commit` alone succeeds and rolls back, as if nothing had been lost: only a
 * statement before it fails then. Both are one message to the server.
 *
 * @throws {Error} if a statement of the transaction has failed, whether or not its error was caught.
 */
export const commitPostgres = async (connection: DatabaseConnection): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw('select 1; commit')).catch(explainAbort)
}
