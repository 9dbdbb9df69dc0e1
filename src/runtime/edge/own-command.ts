import type { CompileModule } from '../contract.ts'

/** The edge has no processes. */
export const compileModule: CompileModule = async () => {
  throw new Error('compileSchemas: bundlers run on Node, Bun and Deno')
}
