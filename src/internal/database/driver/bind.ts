import type { CompiledQuery, QueryCompiler } from 'kysely'
import type { DialectName } from '../dialect.ts'

/** The compiler, followed by {@link bindParameters}. */
export const bindingCompiler = (dialect: DialectName, compiler: QueryCompiler): QueryCompiler => ({
  compileQuery: (node, queryId) => bindParameters(dialect, compiler.compileQuery(node, queryId)),
})

/**
 * The query with its values as the driver expects them, so that every database stores the same value.
 *
 * A `Date` is written in UTC, `undefined` is NULL, and no object reaches mysql2, which would write `{ id: 1 }` as the
 * SQL `` `id` = 1 `` (node-mysql2 #1914).
 *
 * @throws {RangeError} if there are more values than PostgreSQL can take.
 */
export const bindParameters = (dialect: DialectName, query: CompiledQuery): CompiledQuery => {
  const { parameters } = query
  if (dialect === 'postgres' && parameters.length > MAX_PARAMETERS) {
    const message = `PostgreSQL: expected at most ${MAX_PARAMETERS} parameters in a statement, got ${parameters.length}`
    throw new RangeError(`${message}: send several statements`)
  }
  const bind = BINDERS[dialect]
  return { ...query, parameters: parameters.map((value) => (value === undefined ? null : bind(value))) }
}

/** The protocol of PostgreSQL counts parameters in 16 bits. Its driver would cut a larger number. */
const MAX_PARAMETERS = 65_535

const BINDERS: Readonly<Record<DialectName, (value: unknown) => unknown>> = {
  sqlite: (value) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    return value instanceof Date ? value.toISOString() : stringifyObject(value)
  },
  // The driver writes objects as JSON and lists as arrays, but dates in local time
  postgres: (value) => (value instanceof Date ? value.toISOString() : value),
  mysql: (value) => {
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`MySQL cannot store ${value}`)
    return value instanceof Date ? value : stringifyObject(value)
  },
}

const stringifyObject = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value
