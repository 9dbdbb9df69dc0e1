import type { Servers } from '../serve-contract.ts'
import { serve } from './serve.ts'

/** The edge has no sockets: `serve` rejects and says so. */
export const createServers = (): Servers => ({ listen: serve, close: async () => {} })
