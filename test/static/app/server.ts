import { createApp } from '../../../src/app.ts'
import { serveStatic } from '../../../src/static.ts'

/** Serves the folder that the environment names, and says where, on Node, Bun and Deno. */
const { argv } = (globalThis as any).process // any: each runtime has its own types
const server = await createApp()
  .use(serveStatic({ root: argv[2]!, precompressed: true, fallback: 'index.html' }))
  .listen({ port: 0, hostname: '127.0.0.1' })
console.log(`port ${server.port}`)
