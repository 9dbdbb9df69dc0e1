import type { App } from '../../../src/app/app.ts'
import { hasSwitch, type Invocation, textOption } from '../../command.ts'
import { type ExitCode, usageError } from '../../errors.ts'
import { oneOf } from '../../one-of.ts'
import { importSluice } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'
import { isRequestPath, METHODS, type Order, orderOf } from './request-order.ts'

/** A request to explain. */
export interface RequestLine {
  readonly method: string
  readonly path: string
}

/**
 * The request of `--explain` and `--method`; undefined without them.
 *
 * @throws {CliError} with exit code 2 for a path without a slash, and for a method without a path.
 */
export const readRequestLine = (invocation: Invocation): RequestLine | undefined => {
  const path = textOption(invocation, 'explain')
  const method = textOption(invocation, 'method')
  if (path === undefined) {
    if (method === undefined) return undefined
    throw usageError(`--method needs a path: sluice routes --explain /path --method ${method}`)
  }
  if (!isRequestPath(path)) throw usageError(`--explain: expected a path such as /users/7, got ${JSON.stringify(path)}`)
  return { path, method: oneOf('--method', (method ?? 'GET').toUpperCase(), METHODS) }
}

/** Print what a request runs, in order, without running any of it; exit code 1 if no route matches. */
export const explainRoute = async (
  invocation: Invocation,
  app: App,
  { method, path }: RequestLine,
): Promise<ExitCode> => {
  const { explainRequest } = await importSluice(projectRoot(invocation), 'sluice/pipe')
  const order = orderOf(explainRequest, app, method, path)
  const { line, paint } = invocation.output
  if (hasSwitch(invocation, 'json')) line(JSON.stringify({ method, path, ...order }, null, 2))
  else for (const text of linesOf(order, paint.cyan, paint.yellow)) line(text)
  return order.route === undefined ? 1 : 0
}

type Paint = (text: string) => string

const linesOf = ({ middleware, route, handler, summary, params }: Order, good: Paint, bad: Paint): string[] => {
  const steps = middleware.map((name, index) => `${String(index + 1).padStart(3)}  ${name}`)
  const end = route === undefined ? bad('no route matches') : `${good(route)} ${handler || summary || '(anonymous)'}`
  const values = Object.entries(params).map(([name, value]) => `     ${name} = ${JSON.stringify(value)}`)
  return [...steps, `${String(steps.length + 1).padStart(3)}  ${end}`, ...values]
}
