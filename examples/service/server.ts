import { env, envInt } from 'sluice/env'
import { app, draining } from './app.ts'

await app.listen({ port: envInt('PORT', 3000), hostname: env('HOST', '127.0.0.1') })

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    draining.abort()
    // The load balancer sees that `/readyz` fails, and stops sending requests
    setTimeout(() => app.close(), Number(env('DRAIN_MS', '5000')))
  })
