/** Child process: serve one case of one contender. `server.mjs <contender> <case> <port>` */
process.on('SIGINT', () => process.exit(0))
const [contender, name, port] = process.argv.slice(2)
const { serve } = await import(`./${contender}.mjs`)
await serve(name, Number(port))
process.send?.('ready')
setTimeout(() => process.send?.('ready'), 300)
