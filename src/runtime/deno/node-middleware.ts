import type { NodeMiddlewareRuntime } from '../node-contract.ts'

export const supported = false

/** Never called: creating the middleware throws. */
export const runNodeMiddleware: NodeMiddlewareRuntime['runNodeMiddleware'] = () =>
  Promise.reject(new Error('fromNodeMiddleware() needs Node'))
