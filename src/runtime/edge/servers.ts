import type { ServeRuntime, Servers } from '../serve-contract.ts'
import { serve } from './serve.ts'

/** There is nothing to load. */
export const loadServe = async (): Promise<ServeRuntime> => ({ serve })

/** The edge has no sockets: `serve` rejects with an error that explains it. */
export const createServers = (): Servers => ({ listen: serve, close: async () => {} })
