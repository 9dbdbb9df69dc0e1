import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'

/** The additional options of a connection that streams. */
export interface StreamOptions {
  /** True if a transaction is open on the connection. */
  readonly inTransaction: boolean
}

/**
 * Make a connection of PostgreSQL stream: a chunk of rows at a time, by a cursor of the server. Outside a transaction
 * it opens one, because a cursor lives no longer.
 */
export const withStreams = <C extends DatabaseConnection>(connection: C): C => {
  const send = <R>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<R>> =>
    connection.executeQuery<R>(CompiledQuery.raw(sql, [...parameters]))
  async function* streamQuery<R>(
    query: CompiledQuery,
    chunkSize = 100,
    { inTransaction }: StreamOptions = { inTransaction: false },
  ): AsyncIterableIterator<QueryResult<R>> {
    const cursor = `sluice_${crypto.randomUUID().replaceAll('-', '_')}`
    if (!inTransaction) await send('begin')
    try {
      await send(`declare ${cursor} no scroll cursor for ${query.sql}`, query.parameters)
      for (;;) {
        const { rows } = await send<R>(`fetch ${chunkSize} from ${cursor}`)
        if (rows.length > 0) yield { rows }
        if (rows.length < chunkSize) return
      }
    } finally {
      // After an error both fail, because the cursor no longer exists
      await send(inTransaction ? `close ${cursor}` : 'commit').catch(() => {})
    }
  }
  return Object.assign(connection, { streamQuery })
}
