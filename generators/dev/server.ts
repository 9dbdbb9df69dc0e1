import { pathToFileURL } from 'node:url'
import { type DevApplication, watchErrors } from './errors.ts'

/** The process that `sluice dev` starts: the application of `argv[2]` on PORT and HOST, with the error page in it. */
const serve = async (file: string): Promise<void> => {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href)
  const app = [module.app, module.default].find(isApplication)
  if (app === undefined) throw new TypeError(`${file} exports no application: export const app = createApp()`)
  watchErrors(app)
  const { PORT = '3000', HOST = 'localhost' } = process.env
  await app.listen({ port: Number(PORT), hostname: HOST }, (port) => {
    console.log(`sluice dev: http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port} (pid ${process.pid})`)
  })
  process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)))
}

const isApplication = (candidate: unknown): candidate is DevApplication =>
  typeof (candidate as DevApplication | undefined)?.listen === 'function' &&
  typeof (candidate as DevApplication).use === 'function'

// The end of the input means that nobody supervises any more.
process.stdin.resume()
process.stdin.once('end', () => process.exit(0))
process.stdin.once('error', () => process.exit(0))

try {
  await serve(process.argv[2] ?? '')
} catch (error) {
  console.error(error)
  process.exit(1)
}
