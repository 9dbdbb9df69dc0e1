// Migrates in a process of its own: node -C sluice-source --import tsx migrate-child.ts <url> <folder> [lockTimeoutMs]
import { createDatabase, MigrationError, migrate } from '../../src/database.ts'

const [url = '', folder = '', lockTimeoutMs = '30000'] = process.argv.slice(2)
const db = createDatabase(url)
try {
  const runs = await migrate({ db, folder, lockTimeoutMs: Number(lockTimeoutMs) })
  process.stdout.write(JSON.stringify(runs.map(({ name }) => name)))
} catch (error) {
  if (!(error instanceof MigrationError)) throw error
  process.stdout.write(JSON.stringify({ reason: error.reason, message: error.message }))
  process.exitCode = 4
} finally {
  await db.destroy()
}
