import type { FilesRuntime } from '../contract.ts'

/** The edge has no files. */
export const openRoot: FilesRuntime['openRoot'] = () => async () => undefined

/** @throws {Error} if the binding is missing. */
export const assetsOf: FilesRuntime['assetsOf'] = (env, binding) => {
  const assets = (env as Readonly<Record<string, { fetch(request: Request): Promise<Response> } | undefined>>)[binding]
  if (typeof assets?.fetch !== 'function')
    throw new Error(`serveStatic: this runtime has no files, and ctx.env.${binding} is not a binding of assets`)
  return (request) => assets.fetch(request)
}
