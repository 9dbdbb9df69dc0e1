export { bytesOf, headerOf, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

interface BunServer {
  requestIP?(request: Request): { readonly address: string } | null
}

/** Bun's server knows the address; it is the second argument that `Bun.serve({ fetch })` passes. */
export const peerOf = (request: Request, env: unknown, execution: unknown): string | undefined => {
  const server = [execution, env].find((value) => typeof (value as BunServer)?.requestIP === 'function')
  return (server as BunServer | undefined)?.requestIP?.(request)?.address
}
