import { fetchOf } from './contenders.mjs'

/** Child process on Bun or Deno: `server.mjs <contender> <row> <port>`. */
const [contender, name, port] = globalThis.Bun ? Bun.argv.slice(2) : Deno.args
const local = { port: Number(port), hostname: '127.0.0.1' }
const { app, fetch } = fetchOf(contender, name)

if (app?.listen && (contender === 'sluice' || globalThis.Bun)) await app.listen(local)
else if (globalThis.Bun) Bun.serve({ ...local, idleTimeout: 0, fetch })
else Deno.serve({ ...local, onListen() {} }, (request) => fetch(request))
