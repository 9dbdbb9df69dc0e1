import type { NodeHandlerRuntime } from '../node-contract.ts'

/** Requests come as Fetch objects here: there is no server of Node's to stand in. */
export const toNodeHandler: NodeHandlerRuntime['toNodeHandler'] = () => {
  throw new Error(
    'toNodeHandler() needs Node. Here, give the application itself: `export default app`, or `app.listen()`',
  )
}
