import * as runtime from '#runtime/node-handler'
import { type AnyApp, fetchOf } from './internal/adapter/fetch-of.ts'
import { checkNames } from './internal/options.ts'
import type { NodeHandler, NodeHandlerOptions } from './runtime/node-contract.ts'

export type { NodeHandler, NodeHandlerOptions } from './runtime/node-contract.ts'

/**
 * A `(req, res, next)` for Express, Connect, Vite or `http.createServer`: an application, or any `fetch`, within a
 * server of Node's that is there already.
 *
 * Fields that stand on the response stay, unless the application sets them too; `set-cookie` and `vary` are joined. A
 * body that `express.json()`, `express.urlencoded()`, `express.text()` or `express.raw()` has read is read again. What
 * a plain `fetch` throws goes to `next(error)`, or is answered with 500 where there is no `next`.
 *
 * @throws {TypeError} when made, for a bad option. @throws {Error} on every runtime but Node.
 * @example
 * express().use('/api', toNodeHandler(app)).listen(3000)
 */
export const toNodeHandler = (app: AnyApp, options: NodeHandlerOptions = {}): NodeHandler => {
  checkNames('toNodeHandler', options, 'fallthrough:boolean originalUrl:boolean env')
  return runtime.toNodeHandler(fetchOf(app, 'toNodeHandler'), options)
}
