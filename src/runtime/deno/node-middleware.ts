import type { RunNodeMiddleware } from '../node-contract.ts'

export const runNodeMiddleware: RunNodeMiddleware = undefined
