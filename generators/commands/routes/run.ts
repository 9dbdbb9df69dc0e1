import { hasSwitch, type RunCommand } from '../../command.ts'
import type { ExitCode } from '../../errors.ts'
import { table } from '../../output.ts'
import { importApplication } from '../../project/application.ts'
import { importSluice } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'
import { explainRoute, readRequestLine } from './explain.ts'
import { labelOf, summaryOf } from './request-order.ts'

/** `sluice routes`: the routes in the order of registration, or with `--explain` what one request runs. */
export const routes: RunCommand = async (invocation): Promise<ExitCode> => {
  const { output } = invocation
  const request = readRequestLine(invocation)
  const app = await importApplication(invocation)
  if (request !== undefined) return explainRoute(invocation, app, request)
  const list = app.routes()
  const { routesWithMiddleware } = await importSluice(projectRoot(invocation), 'sluice/pipe')
  const chains = routesWithMiddleware(app.plan)
  if (hasSwitch(invocation, 'json')) {
    output.line(JSON.stringify(list, null, 2))
  } else if (list.length === 0) {
    output.line('There are no routes')
  } else {
    const rows = list.map(({ method, path, handler, duplicate }, index) => {
      const { middleware = [] } = chains[index] ?? {}
      const name = handler || summaryOf(middleware) || '(anonymous)'
      return [method, path, name + (duplicate ? ' (never reached)' : ''), middleware.map(labelOf).join(', ')]
    })
    const [head = '', ...lines] = table([['METHOD', 'PATH', 'HANDLER', 'MIDDLEWARE'], ...rows])
    output.line(output.paint.dim(head))
    for (const line of lines) output.line(line.replace(/^\S+/, output.paint.cyan))
  }
  return 0
}
