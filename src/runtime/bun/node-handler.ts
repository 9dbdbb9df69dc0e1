import type { NodeHandlerRuntime } from '../node-contract.ts'

/** Requests are Fetch objects on this runtime: there is no Node server. */
export const toNodeHandler: NodeHandlerRuntime['toNodeHandler'] = () => {
  throw new Error(
    'toNodeHandler() needs Node. Here, use the application itself: `export default app`, or `app.listen()`',
  )
}
