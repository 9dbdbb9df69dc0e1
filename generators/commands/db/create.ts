import { hasSwitch, type RunCommand } from '../../command.ts'
import { databaseUrl } from '../../database/database.ts'
import { createOnServer, serverOf } from '../../database/server.ts'
import { projectRoot } from '../../project/project.ts'

/** `sluice db:create`: create the database of the project on its server; an existing one is not changed. */
export const dbCreate: RunCommand = async (invocation) => {
  const root = projectRoot(invocation)
  const url = await databaseUrl(invocation, root)
  const { output } = invocation
  const reportOutcome = (database: string, action: 'create' | 'exists' | 'not needed', line: string): 0 => {
    output.line(hasSwitch(invocation, 'json') ? JSON.stringify({ ok: true, database, action }, null, 2) : line)
    return 0
  }
  if (/^sqlite:/i.test(url)) return reportOutcome(url, 'not needed', 'SQLite creates its file when it is opened')
  const server = serverOf(url)
  const created = await createOnServer(root, server)
  return created
    ? reportOutcome(server.name, 'create', `${output.paint.green('create   ')} database ${server.name}`)
    : reportOutcome(server.name, 'exists', `${output.paint.dim('identical')} database ${server.name}`)
}
