import { envInt } from 'sluice/env'
import { app } from './app.ts'

const server = await app.listen({ port: envInt('PORT', 3000) }, (port) => {
  console.log(`To-do example on http://localhost:${port}`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
