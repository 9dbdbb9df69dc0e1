import { NullRecord } from '../internal/object/null-record.ts'
import { checkOption } from '../internal/options/check.ts'
import { isLinear } from '../internal/route/linear.ts'
import type { ParamPattern, PatternBranches, RouterNode } from '../internal/route/match.ts'
import type { AddRoute } from '../internal/types/plan-steps.ts'
import { type HandlerList, type Plan, type ToRoutes, toRoute } from '../kernel/plan.ts'

/**
 * Allow paths with optional parameters, `:type?`, and parameters with a pattern, `:id{[0-9]+}`.
 *
 * Optional parameters must be at the end; `/animals/:type?` is two routes. A pattern is a regular expression with the
 * flag `u` that must match the whole percent-decoded value in linear time. It may contain characters, classes such as
 * `[a-z]`, `\d` and `.`, their repetition, and alternatives `en|de`. Groups, lookaround, backreferences and slashes are
 * refused, and so is a repetition that can match the characters after it, such as `[a-z]+[a-z0-9]+`.
 *
 * In each segment, static text is tried before patterns, patterns in the order of registration, and both before a plain
 * `:name`. Paths of groups, mounts, `at` and `except` cannot have patterns.
 *
 * @throws {TypeError} when a route is added, for a path that breaks these rules.
 * @example
 * createApp({ patterns }).get('/posts/:date{\\d{4}-\\d{2}}/:page{[0-9]+}?', (ctx) => ctx.json(ctx.params))
 */
export const patterns: ToRoutes = (method, path, steps) => {
  checkOption(typeof path === 'string', 'path', 'a string', path)
  const where: Record<string, ParamPattern> = new NullRecord()
  const plain = path.replace(PARAMETER, (_, before: string, name: string, source: string) => {
    where[name] = paramPattern(source, name)
    return `${before}:${name}`
  })
  const show = (shown: string): string =>
    shown.replace(/(?<=\/:)[\w-]+/g, (name) => (where[name] ? `${name}{${where[name].source}}` : name))
  const paths = expandPath(plain)
  checkOption(!/:[\w-]+\?\//.test(paths[0]!), 'path', 'parameters that may be absent at the end only', path)
  return paths.map((expanded) => ({ ...toRoute(method, expanded, steps), where, show }))
}

/**
 * Add a route to a plan, as `route` does, whose path may contain what {@link patterns} allows.
 *
 * @throws {TypeError} for a path that is not a pattern, and for anything that is not a function.
 * @example
 * pipe(blank, patternRoute('GET', '/users/:id{[0-9]+}', (ctx) => text(ctx.params.id)), toFetch)
 */
export const patternRoute: AddRoute = (method: string, path: string, ...steps: readonly unknown[]): never => {
  const planned = patterns(method, path, steps as HandlerList)
  return ((plan: Plan) => ({ ...plan, routes: [...plan.routes, ...planned] })) as never
}

/** A parameter with its pattern, without a question mark after it. */
const PARAMETER = /(^|\/):([\w-]+)\{([^/]+)\}(?=\??(?:\/|$))/g

/** The path without its optional parameters, then with each of them added. */
const expandPath = (path: string): string[] => {
  const start = path.lastIndexOf('/') + 1
  if (path[start] !== ':' || !path.endsWith('?')) return [path]
  const shorter = expandPath(path.slice(0, Math.max(start - 1, 0)))
  return [...shorter, `${shorter.at(-1)}/${path.slice(start, -1)}`]
}

const paramPattern = (source: string, name: string): ParamPattern => {
  checkOption(isLinear(source), `path: :${name}`, LINEAR, source)
  const regexp = new RegExp(`^(?:${source})$`, 'u')
  const find = <Node extends RouterNode<Node>>(param: Node, create: (text: string) => Node): Node => {
    param.patternBranches ??= createBranches()
    const { nodes } = param.patternBranches
    const [, node] = nodes.get(source) ?? [regexp, create('')]
    nodes.set(source, [regexp, node])
    return node
  }
  return Object.assign(find, { source })
}

const LINEAR = 'a pattern without groups, whose repetitions end before what comes after them, such as "[a-z]+-[0-9]+"'

/** The value is compared in the form that the handler gets, so escapes cannot bypass a pattern. */
const createBranches = <Node>(): PatternBranches<Node> => {
  const nodes: PatternBranches<Node>['nodes'] = new Map()
  const branches = <Found>(text: string, walk: (node: Node) => Found | undefined): Found | undefined => {
    const value = decodeURIComponent(text)
    for (const [regexp, node] of nodes.values()) {
      const match = regexp.test(value) && walk(node)
      if (match) return match
    }
    return undefined
  }
  return Object.assign(branches, { nodes })
}
