import type { NodeMiddlewareRuntime } from '../node-contract.ts'

export const supported = false

/** Never called: the middleware is refused when it is made. */
export const runNodeMiddleware: NodeMiddlewareRuntime['runNodeMiddleware'] = () =>
  Promise.reject(new Error('fromNodeMiddleware() needs Node'))
