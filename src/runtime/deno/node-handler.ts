import type { ToNodeHandler } from '../node-contract.ts'

export const toNodeHandler: ToNodeHandler = undefined
