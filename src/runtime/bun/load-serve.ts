import type { ServeRuntime } from '../serve-contract.ts'

/** The server, which is loaded only by applications that listen. */
export const loadServe = (): Promise<ServeRuntime> => import('./serve.ts')
