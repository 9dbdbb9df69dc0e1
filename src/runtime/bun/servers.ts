import { serversOf } from '../platform/servers.ts'
import type { Servers } from '../serve-contract.ts'
import { loadServe } from './load-serve.ts'

export const createServers = (): Servers => serversOf(loadServe)
