import type ts from 'typescript'
import { contextOf, type Imported } from './hono-imports.ts'
import type { Port } from './port.ts'

/**
 * The names of the context inside a function: its own parameter, if Hono calls it.
 */
export const portFunction = (
  port: Port,
  node: ts.SignatureDeclaration,
  imported: Imported,
  names: ReadonlySet<string>,
): ReadonlySet<string> => {
  const own = node.parameters.map(({ name }) => port.textOf(name))
  const inside = new Set([...names].filter((name) => !own.includes(name)))
  const place = placeOf(port, node, imported)
  const context = place === undefined ? undefined : node.parameters[place]?.name
  if (context && !port.ts.isIdentifier(context)) noteParts(port, context)
  else if (context) inside.add(context.text)
  return inside
}

const noteParts = (port: Port, pattern: ts.BindingName): void =>
  port.note(pattern, `${port.textOf(pattern)}: members of the context have other names: use the context itself`)

/** `const { req } = c` is left to the reader. */
export const portPattern = (port: Port, node: ts.VariableDeclaration, names: ReadonlySet<string>): void => {
  const { ts } = port
  const { name, initializer } = node
  if (!ts.isIdentifier(name) && initializer && ts.isIdentifier(initializer) && names.has(initializer.text))
    noteParts(port, name)
}

/** Which parameter is the context; undefined if none is. */
const placeOf = (port: Port, node: ts.SignatureDeclaration, imported: Imported): number | undefined => {
  const { ts } = port
  const { names, handlers } = imported
  const typed = node.parameters.findIndex(
    ({ type }) => type && ts.isTypeReferenceNode(type) && names.get(port.textOf(type.typeName))?.name === 'Context',
  )
  if (typed !== -1) return typed
  const { parent } = node
  const outer = ts.isReturnStatement(parent) ? ts.findAncestor(parent, ts.isFunctionLike) : parent
  const returning = outer && ts.isFunctionLike(outer) ? outer : undefined
  const type = ts.isVariableDeclaration(parent) ? parent.type : returning?.type
  if (type)
    return ts.isTypeReferenceNode(type) && names.get(port.textOf(type.typeName))?.role === 'type' ? 0 : undefined
  const known = handlers.get(nameOf(port, node)) ?? (returning && handlers.get(`${nameOf(port, returning)}()`))
  if (known !== undefined) return known
  if (!ts.isCallExpression(parent)) return undefined
  const callee = parent.expression
  if (ts.isIdentifier(callee)) return names.get(callee.text)?.role === 'factory' ? 0 : undefined
  return contextOf(ts, callee, imported)
}

/** The name by which a module calls a function; empty if it has none. */
const nameOf = (port: Port, node: ts.Node): string => {
  const { ts } = port
  const named = ts.isFunctionDeclaration(node) ? node : node.parent
  return (ts.isFunctionDeclaration(named) || ts.isVariableDeclaration(named)) && named.name
    ? port.textOf(named.name)
    : ''
}
