import type { ServeRuntime } from '../contract.ts'

/** The server, which no application loads that does not listen. */
export const loadServe = (): Promise<ServeRuntime> => import('./serve.ts')
