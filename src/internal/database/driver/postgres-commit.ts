import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { explainAbort } from './scope.ts'

/**
 * Commit. After a failed statement, `commit` alone rolls back without an error, so a statement that fails then is sent
 * with it, in one message.
 *
 * @throws {Error} if a statement of the transaction has failed, whether or not its error was caught.
 */
export const commitPostgres = async (connection: DatabaseConnection): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw('select 1; commit')).catch(explainAbort)
}
