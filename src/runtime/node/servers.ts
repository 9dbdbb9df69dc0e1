import { serversOf } from '../platform/servers.ts'
import type { ServeRuntime, Servers } from '../serve-contract.ts'

/** The server, which is loaded only by applications that listen. */
export const loadServe = (): Promise<ServeRuntime> => import('./serve.ts')

export const createServers = (): Servers => serversOf(loadServe)
