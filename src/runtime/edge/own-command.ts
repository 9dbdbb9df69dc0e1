import type { OwnCommandRuntime } from '../contract.ts'

/** There are no processes here. */
export const compileModule: OwnCommandRuntime['compileModule'] = async () => {
  throw new Error('compileSchemas: bundlers run on Node, Bun and Deno')
}
