import { checkOption } from '../../internal/options/check.ts'
import { tryCall } from '../../internal/promise/awaitable.ts'
import type { ServeRuntime, ServerHandle, Servers } from '../serve-contract.ts'
import { report } from './report.ts'

export const serversOf = (loadServe: () => Promise<ServeRuntime>): Servers => {
  const handles = new Set<ServerHandle>()
  let closed = false
  return {
    async listen(app, port = {}, callback = () => {}) {
      // Its providers are shut down, so a server would close at once, and its handle would have no valid address
      if (closed) throw new Error('listen: the application is closed: create another one')
      checkOption(typeof callback === 'function', 'listen: callback', 'a function', callback)
      const options = typeof port === 'object' ? port : { port }
      const { serve } = await loadServe()
      const server = await serve(app.fetch, options, app)
      const close = (): Promise<void> => app.close()
      const handle = { ...server, close, [Symbol.asyncDispose]: close }
      handles.add(server)
      // The signal closes the server by itself; this closes the application too
      const { signal } = options
      if (signal?.aborted || closed) await close()
      else signal?.addEventListener('abort', () => void close().catch(console.error))
      tryCall(() => callback(server.port as number), undefined, report)
      return handle
    },
    async close() {
      closed = true
      await Promise.all(Array.from(handles, (handle) => handle.close()))
    },
  }
}
