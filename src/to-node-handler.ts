import * as runtime from '#runtime/node-handler'
import { type AnyApp, fetchOf } from './internal/adapter/fetch-of.ts'
import { checkNames } from './internal/options/check.ts'
import type { NodeHandler, NodeHandlerOptions } from './runtime/node-contract.ts'

export type { NodeHandler, NodeHandlerOptions } from './runtime/node-contract.ts'

/**
 * Run an application, or any `fetch`, in a Node server: `(req, res, next)` for Express, Connect, Vite and `node:http`.
 *
 * Headers that are already on the response are kept, unless the application sets them too; `set-cookie` and `vary` are
 * combined. A body that a parser of Express has read can be read again. If a plain `fetch` function throws, the error
 * goes to `next(error)`; without `next`, the response is a 500.
 *
 * @throws {TypeError} when created, for a bad option. @throws {Error} on every runtime except Node.
 * @example
 * express().use('/api', toNodeHandler(app)).listen(3000)
 */
export const toNodeHandler = (app: AnyApp, options: NodeHandlerOptions = {}): NodeHandler => {
  checkNames('toNodeHandler', options, 'fallthrough:boolean originalUrl:boolean env')
  if (!runtime.toNodeHandler)
    throw new Error('toNodeHandler() needs Node: elsewhere, use `export default app`, or `app.listen()`')
  return runtime.toNodeHandler(fetchOf(app, 'toNodeHandler'), options)
}
