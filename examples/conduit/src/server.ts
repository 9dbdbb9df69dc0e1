import { closeDatabase, createDatabase, migrate, setDatabase } from 'sluice/database'
import { env, envInt, loadEnv } from 'sluice/env'
import { app } from './app.ts'

loadEnv()
const db = setDatabase(createDatabase(env('DATABASE_URL', 'sqlite:./conduit.sqlite')))
await migrate({ db, folder: new URL('../migrations', import.meta.url).pathname })
const server = await app.listen(envInt('PORT', 3000), (port) => console.log(`http://localhost:${port}/api/articles`))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.close()
    await closeDatabase()
  })
