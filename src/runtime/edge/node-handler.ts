import type { NodeHandlerRuntime } from '../node-contract.ts'

export const toNodeHandler: NodeHandlerRuntime['toNodeHandler'] = undefined
