import type ts from 'typescript'
import { type Counterpart, MODULES } from './hono-names.ts'
import type { Port } from './port.ts'

/** What a module takes from Hono. */
export interface Imported {
  /** By the name in this module. */
  readonly names: ReadonlyMap<string, Counterpart>
  /** Names of variables that hold an application. */
  readonly apps: ReadonlySet<string>
  /**
   * Functions of this module that are passed to an application by name, and which parameter is the context. Those whose
   * result is passed have `()` behind their name.
   */
  readonly handlers: ReadonlyMap<string, number>
  /** Where the imports of sluice go. */
  readonly position: number
}

/** Remove the imports of Hono that have a counterpart; undefined if there are none. */
export const portImports = (port: Port): Imported | undefined => {
  const { ts, file } = port
  const names = new Map<string, Counterpart>()
  let position: number | undefined
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const module = statement.moduleSpecifier.text
    if (!/^(hono|@hono)(\/|$)/.test(module)) continue
    position ??= statement.getStart(file)
    const known = MODULES[module]
    const list = statement.importClause?.namedBindings
    if (!known || !list || !ts.isNamedImports(list)) {
      port.note(statement, `${module} is not moved`)
      continue
    }
    const rest = list.elements.filter((element) => {
      const counterpart = Object.hasOwn(known, (element.propertyName ?? element.name).text)
        ? known[(element.propertyName ?? element.name).text]
        : undefined
      const alias = element.propertyName && element.name.text
      if (counterpart) names.set(element.name.text, alias === undefined ? counterpart : { ...counterpart, alias })
      else port.note(element, `${element.name.text} of ${module} is not moved`)
      return !counterpart
    })
    const { end } = statement
    // Its line goes too
    const after = file.text.slice(end).match(/^[ \t]*\r?\n/)?.[0].length ?? 0
    if (rest.length) port.replace(list, `{ ${rest.map((element) => port.textOf(element)).join(', ')} }`)
    else port.cut(statement.getStart(file), end + after, '')
  }
  if (position === undefined) return undefined
  importCounterparts(port, names)
  return { names, ...appsOf(port, names), position }
}

/** Names whose use decides about the import are imported there. */
const importCounterparts = (port: Port, names: ReadonlyMap<string, Counterpart>): void => {
  for (const [local, { module, name, role, alias }] of names) {
    if (role === 'type') port.use(module, `type ${name}${name === local ? '' : ` as ${local}`}`)
    else if (role === 'same' || role === 'error' || role === 'middleware')
      port.use(module, alias === undefined || alias === name ? name : `${name} as ${alias}`)
  }
}

/** Methods of an application whose arguments are handlers and middleware. */
const ROUTES = /^(get|post|put|patch|delete|options|all|use|on|notFound|onError)$/

/** Which parameter of its arguments is the context, if a callee is a method of an application. */
export const contextOf = (
  ts: Port['ts'],
  callee: ts.Expression,
  { names, apps }: Pick<Imported, 'names' | 'apps'>,
): number | undefined => {
  if (!ts.isPropertyAccessExpression(callee) || !ROUTES.test(callee.name.text)) return undefined
  if (!isApp(ts, callee.expression, names, apps)) return undefined
  return callee.name.text === 'onError' ? 1 : 0
}

/** Variables and parameters that hold an application of Hono, and the names that are passed to its methods. */
const appsOf = (port: Port, names: ReadonlyMap<string, Counterpart>): Pick<Imported, 'apps' | 'handlers'> => {
  const apps = new Set<string>()
  const handlers = new Map<string, number>()
  const { ts, file } = port
  const look = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      if (isApp(ts, node.initializer, names, apps)) apps.add(node.name.text)
    } else if (ts.isParameter(node) && ts.isIdentifier(node.name) && node.type && ts.isTypeReferenceNode(node.type)) {
      if (names.get(node.type.typeName.getText(file))?.role === 'app') apps.add(node.name.text)
    } else if (ts.isCallExpression(node)) {
      const place = contextOf(ts, node.expression, { names, apps })
      for (const given of node.arguments)
        if (place !== undefined)
          handlers.set(ts.isCallExpression(given) ? `${port.textOf(given.expression)}()` : port.textOf(given), place)
    }
    ts.forEachChild(node, look)
  }
  look(file)
  return { apps, handlers }
}

/** Whether an expression is an application: `new Hono()`, a variable that holds one, or a chain of its methods. */
export const isApp = (
  ts: Port['ts'],
  node: ts.Expression,
  names: ReadonlyMap<string, Counterpart>,
  apps: ReadonlySet<string>,
): boolean => {
  if (ts.isIdentifier(node)) return apps.has(node.text)
  if (ts.isNewExpression(node))
    return ts.isIdentifier(node.expression) && names.get(node.expression.text)?.role === 'app'
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    isApp(ts, node.expression.expression, names, apps)
  )
}
