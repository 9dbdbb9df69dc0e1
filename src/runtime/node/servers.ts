import type { Servers } from '../contract.ts'
import { serversOf } from '../platform/servers.ts'
import { loadServe } from './load-serve.ts'

export const createServers = (): Servers => serversOf(loadServe)
