import { createHandler } from 'sluice'
import { bindEnv, env } from 'sluice/env'
import { viaCreateApp, viaPipe } from './app.mjs'

/** Everything is made at module scope, where workerd forbids randomness, timers and evaluation. */
const app = viaCreateApp()
app.get('/edge/env', (ctx) => {
  bindEnv(ctx.env)
  return ctx.text(env('GREETING'))
})
app.get('/edge/listen', async (ctx) => {
  const refusal = await app.listen(0).catch((error) => error)
  return ctx.text(refusal.message)
})

export default createHandler(app)

/** The edge door, as a second entry point of the worker. */
export const pipeDoor = { fetch: viaPipe() }
