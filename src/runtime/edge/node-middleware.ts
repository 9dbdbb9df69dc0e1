import type { NodeMiddlewareRuntime } from '../node-contract.ts'

export const runNodeMiddleware: NodeMiddlewareRuntime['runNodeMiddleware'] = undefined
