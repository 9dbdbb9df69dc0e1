import { run } from './run.ts'

export default { fetch: async () => Response.json(await run()) }
