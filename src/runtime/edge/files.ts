import type { FilesRuntime } from '../contract.ts'

/** The edge has no files. */
export const openRoot: FilesRuntime['openRoot'] = () => () => Promise.resolve(undefined)

/** A binding with `fetch`, such as the assets of a worker. */
interface Fetcher {
  fetch(request: Request): Promise<Response>
}

/** @throws {Error} if the binding is missing. */
export const assetsOf: FilesRuntime['assetsOf'] = (env, binding) => {
  const assets = (env as Readonly<Record<string, Fetcher | undefined>>)[binding]
  if (typeof assets?.fetch !== 'function')
    throw new Error(`serveStatic: this runtime has no files, and ctx.env.${binding} is not a binding of assets`)
  return (request) => assets.fetch(request)
}
