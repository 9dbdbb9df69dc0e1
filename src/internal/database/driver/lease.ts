import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { TransactionScope } from './scope.ts'

/** Statements that a driver sends for itself, such as `begin`. No scope delays or refuses them. */
const controls: WeakSet<CompiledQuery> = /* @__PURE__ */ new WeakSet()

/** True for a statement that was sent by {@link Lease.control}. */
export const isControl = (query: CompiledQuery): boolean => controls.has(query)

/** The additional options of a connection that streams. */
export interface StreamOptions {
  /** True if a transaction is open on the connection. */
  readonly inTransaction: boolean
}

/** A connection as one user of it sees it: with the scope that the user's statements belong to. */
export class Lease implements DatabaseConnection {
  readonly connection: DatabaseConnection
  scope: TransactionScope

  constructor(connection: DatabaseConnection, scope: TransactionScope) {
    this.connection = connection
    this.scope = scope
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!controls.has(query)) {
      for (let blocker = this.scope.blocker(); blocker; blocker = this.scope.blocker()) await blocker
    }
    return this.connection.executeQuery<R>(query)
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    chunkSize?: number,
    options: StreamOptions = { inTransaction: this.scope.depth > 0 },
  ): AsyncIterableIterator<QueryResult<R>> {
    for (let blocker = this.scope.blocker(); blocker; blocker = this.scope.blocker()) await blocker
    const stream: (...values: [CompiledQuery, number?, StreamOptions?]) => AsyncIterableIterator<QueryResult<R>> =
      this.connection.streamQuery.bind(this.connection)
    yield* stream(query, chunkSize, options)
  }

  /** The connection for statements of the driver itself. Kysely's log sees them. */
  get control(): DatabaseConnection {
    return {
      executeQuery: (query) => {
        controls.add(query)
        return this.executeQuery(query)
      },
      streamQuery: (query, chunkSize) => this.streamQuery(query, chunkSize),
    }
  }
}
