import {
  CompiledQuery,
  type Dialect,
  MysqlDialect,
  type MysqlPool,
  type MysqlPoolConnection,
  MysqlQueryCompiler,
} from 'kysely'
import { toReachError } from '../error/database-error.ts'
import { bindingCompiler } from './bind.ts'
import { loadDriver } from './load-driver.ts'

/** The dialect of MySQL and MariaDB by `mysql2`, which is loaded with the first query. */
export const createMysqlDialect = (url: string, poolSize: number): Dialect => {
  const dialect = new MysqlDialect({
    pool: () => createPool(url, poolSize),
    onCreateConnection: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw(SESSION))
    },
  })
  return Object.assign(dialect, { createQueryCompiler: () => bindingCompiler('mysql', new MysqlQueryCompiler()) })
}

/** Times are in UTC. mysql2 escapes with backslashes and Kysely quotes with backticks, so no mode may change either. */
const SESSION = `set time_zone = '+00:00', sql_mode = replace(replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), 'ANSI_QUOTES', '')`

const createPool = async (uri: string, connectionLimit: number): Promise<MysqlPool> => {
  const { default: mysql } = await loadDriver('mysql2', 'MySQL', () => import('mysql2'))
  const pool = mysql.createPool({
    uri,
    connectionLimit,
    timezone: 'Z',
    charset: 'utf8mb4',
    jsonStrings: true,
    supportBigNumbers: true,
    stringifyObjects: true,
    multipleStatements: false,
  })
  const wrapped: Pick<MysqlPool, 'getConnection' | 'end'> = {
    getConnection: (use) =>
      pool.getConnection((error, connection) => {
        use(error === null ? null : toReachError('MySQL', error), connection as MysqlPoolConnection)
      }),
    end: (done) => pool.end(done),
  }
  return wrapped as MysqlPool
}
