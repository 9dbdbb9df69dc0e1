export { bytesOf, headerOf, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

interface ServeInfo {
  readonly remoteAddr?: { readonly hostname?: string }
}

/** Deno tells the address in the second argument that `Deno.serve` passes. */
export const peerOf = (_request: Request, env: unknown, execution: unknown): string | undefined =>
  (execution as ServeInfo | undefined)?.remoteAddr?.hostname ?? (env as ServeInfo | undefined)?.remoteAddr?.hostname
