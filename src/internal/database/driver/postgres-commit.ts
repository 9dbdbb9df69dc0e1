import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { textOf } from '../property.ts'

/**
 * Commit. After a failed statement, `commit` alone succeeds and rolls back, as if nothing had been lost: only a
 * statement before it fails then. Both are one message to the server.
 *
 * @throws {Error} if a statement of the transaction has failed, whether or not its error was caught.
 */
export const commitPostgres = async (connection: DatabaseConnection): Promise<void> => {
  try {
    await connection.executeQuery(CompiledQuery.raw('select 1; commit'))
  } catch (error) {
    if (textOf(error, 'code') !== '25P02') throw error
    const text = 'The transaction was rolled back: a statement in it failed, and PostgreSQL keeps nothing then'
    throw new Error(`${text}, even if the error is caught`, { cause: error })
  }
}
