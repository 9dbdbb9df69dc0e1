import { pathToFileURL } from 'node:url'
import { hasSwitch, type RunCommand } from '../command.ts'
import { type DatabaseModule, databaseUrl, explain } from '../database.ts'
import { configError, usageError } from '../errors.ts'
import { importSluice, resolveFrom } from '../loader.ts'
import { projectRoot } from '../project.ts'

/** The part of Kysely that is used; it comes from the project. */
interface Kysely {
  readonly CompiledQuery: { readonly raw: (sql: string) => object }
}

/** `sluice db:create`: make the database that the project names, on its server; one that is there stays as it is. */
export const dbCreate: RunCommand = async (invocation) => {
  const root = projectRoot(invocation)
  const url = await databaseUrl(invocation, root)
  const { output } = invocation
  const tell = (database: string, action: 'create' | 'exists' | 'not needed', line: string): 0 => {
    output.line(hasSwitch(invocation, 'json') ? JSON.stringify({ ok: true, database, action }, null, 2) : line)
    return 0
  }
  if (/^sqlite:/i.test(url)) return tell(url, 'not needed', 'SQLite makes its file by itself')
  const server = serverOf(url)
  const created = await create(root, server)
  return created
    ? tell(server.name, 'create', `${output.paint.green('create   ')} database ${server.name}`)
    : tell(server.name, 'exists', `${output.paint.dim('identical')} database ${server.name}`)
}

/** A database on a server, and the database that a client can be connected to before it exists. */
interface Server {
  readonly url: string
  readonly name: string
  /** The name as SQL has it. */
  readonly quoted: string
}

const serverOf = (text: string): Server => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const name = decodeURIComponent(url?.pathname.slice(1) ?? '')
  if (url === undefined) throw configError('DATABASE_URL is not a URL')
  if (!/^[A-Za-z_][\w-]{0,62}$/.test(name)) {
    throw usageError(`${JSON.stringify(name)} is not a name for a database: letters, digits, "_" and "-", at most 63`)
  }
  const isPostgres = /^postgres(?:ql)?:$/.test(url.protocol)
  url.pathname = isPostgres ? '/postgres' : '/'
  return { url: url.href, name, quoted: isPostgres ? `"${name}"` : `\`${name}\`` }
}

/** What PostgreSQL and MySQL say of a database that is there: SQLSTATE and number. */
const EXISTS: readonly unknown[] = ['42P04', 1007]

const create = async (root: string, { url, quoted }: Server): Promise<boolean> => {
  const { createDatabase } = (await importSluice(root, 'sluice/database')) as DatabaseModule
  const path = resolveFrom(root, 'kysely')
  if (path === undefined) throw configError('Databases need the package kysely: npm install kysely')
  const { CompiledQuery } = (await import(pathToFileURL(path).href)) as Kysely
  const db = createDatabase(url)
  try {
    await db.executeQuery(CompiledQuery.raw(`create database ${quoted}`))
    return true
  } catch (error) {
    const { code, errno } = error as { code?: unknown; errno?: unknown }
    if (EXISTS.includes(code) || EXISTS.includes(errno)) return false
    throw explain(error)
  } finally {
    await db.destroy().catch(() => {})
  }
}
