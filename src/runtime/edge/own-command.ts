import type { OwnCommandRuntime } from '../contract.ts'

/** The edge has no processes. */
export const compileModule: OwnCommandRuntime['compileModule'] = async () => {
  throw new Error('compileSchemas: bundlers run on Node, Bun and Deno')
}
