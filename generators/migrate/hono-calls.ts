import type ts from 'typescript'
import { type Imported, isApp } from './hono-imports.ts'
import { type Counterpart, NEEDS_OPTIONS, VALIDATORS } from './hono-names.ts'
import type { Port } from './port.ts'

/** Rewrite what has an imported name, and the methods of an application. */
export const portNamed = (port: Port, node: ts.Node, imported: Imported): void => {
  const { ts } = port
  const { names } = imported
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    const role = names.get(node.expression.text)?.role
    if (role === 'app') portApp(port, node)
    else if (role === 'error') portError(port, node)
  } else if (ts.isCallExpression(node)) portNamedCall(port, node, imported)
  else if (ts.isPropertyAccessExpression(node)) portErrorMember(port, node, imported)
  else if (ts.isTypeReferenceNode(node)) portType(port, node, imported)
  else if (ts.isIdentifier(node) && names.has(node.text) && !isMember(ts, node))
    portName(port, node, names.get(node.text)!)
}

/** A name outside of its import. */
const portName = (port: Port, node: ts.Identifier, { role, name, alias = name }: Counterpart): void => {
  const { ts } = port
  const { parent } = node
  if (role === 'error' || role === 'middleware')
    port.replace(node, ts.isShorthandPropertyAssignment(parent) ? `${node.text}: ${alias}` : alias)
  else if (role === 'type' || role === 'same' || ts.isTypeReferenceNode(parent)) return
  else if (!((ts.isNewExpression(parent) || ts.isCallExpression(parent)) && parent.expression === node))
    port.note(node, `${node.text} is not moved here`)
}

/** Whether an identifier is the name of a member of something else. */
const isMember = (ts: Port['ts'], node: ts.Identifier): boolean => {
  const { parent } = node
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  )
}

/** `new Hono<{ Bindings: B; Variables: V }>()` is `createApp<B, V>()`. */
const portApp = (port: Port, node: ts.NewExpression): void => {
  const { ts, file } = port
  port.use('sluice', 'createApp')
  const [type] = node.typeArguments ?? []
  let types = ''
  if (type && ts.isTypeLiteralNode(type)) {
    const part = (name: string): string | undefined => {
      const found = type.members.find((member) => member.name && port.textOf(member.name) === name)
      return found && ts.isPropertySignature(found) && found.type ? port.textOf(found.type) : undefined
    }
    const state = part('Variables')
    types = `<${part('Bindings') ?? 'unknown'}${state ? `, ${state}` : ''}>`
  } else if (type) port.note(node, `${port.textOf(type)}: createApp<Bindings, Variables>() takes two types`)
  port.cut(
    node.getStart(file),
    node.arguments ? node.arguments.pos - 1 : node.end,
    `createApp${types}${node.arguments ? '' : '()'}`,
  )
  if (node.arguments?.length) port.note(node, 'options of new Hono(…): see createApp')
}

/** `new HTTPException(403, { message })` is `new HttpError(403, message)`. */
const portError = (port: Port, node: ts.NewExpression): void => {
  const { ts, file } = port
  const options = node.arguments?.[1]
  if (!options) return
  const [first, ...others] = ts.isObjectLiteralExpression(options) ? options.properties : []
  const isMessage = first?.name && port.textOf(first.name) === 'message' && others.length === 0
  if (isMessage && ts.isShorthandPropertyAssignment(first)) port.replace(options, 'message')
  else if (isMessage && ts.isPropertyAssignment(first)) {
    port.cut(options.getStart(file), first.initializer.getStart(file), '')
    port.cut(first.initializer.end, options.end, '')
  } else port.note(options, 'new HttpError(status, message, { data, headers, cause })')
}

/** `error.getResponse()` has no counterpart on the error. */
const portErrorMember = (port: Port, node: ts.PropertyAccessExpression, { names }: Imported): void => {
  if (node.name.text === 'getResponse' && [...names.values()].some(({ role }) => role === 'error'))
    port.note(node, `${port.textOf(node)}(): toResponse(error) of sluice/errors`)
}

const portType = (port: Port, node: ts.TypeReferenceNode, { names }: Imported): void => {
  const counterpart = names.get(port.textOf(node.typeName))
  if (counterpart?.role === 'app') {
    port.use('sluice', 'type App')
    port.replace(node, 'App')
  } else if (counterpart?.role === 'type' && node.typeArguments) {
    port.note(node, `the type parameters of ${counterpart.name} are others: Context<State, Params, Env>`)
  }
}

const portNamedCall = (port: Port, call: ts.CallExpression, imported: Imported): void => {
  const { ts, file } = port
  const { expression: callee, arguments: list } = call
  if (ts.isPropertyAccessExpression(callee)) {
    if (isApp(ts, callee.expression, imported.names, imported.apps)) portRoute(port, call, callee)
    return
  }
  const counterpart = ts.isIdentifier(callee) ? imported.names.get(callee.text) : undefined
  if (!counterpart || counterpart.role === 'same') return
  const { role, name } = counterpart
  const [first] = list
  if (role === 'middleware') {
    if (list.length ? counterpart.differs : NEEDS_OPTIONS.has(name))
      port.note(call, `the options of ${name} are others`)
  } else if (role === 'factory' && first && list.length === 1) {
    port.cut(call.getStart(file), first.getStart(file), '')
    port.cut(first.end, call.end, '')
    if (call.typeArguments) port.note(call, `${port.textOf(callee)}<…>: Middleware<State>`)
    if (ts.isVariableDeclaration(call.parent) && !call.parent.type && !/\.[cm]?jsx?$/.test(file.fileName)) {
      port.use('sluice', 'type Middleware')
      port.cut(call.parent.name.end, call.parent.name.end, ': Middleware')
    }
  } else if (
    role === 'validator' &&
    first &&
    ts.isStringLiteralLike(first) &&
    VALIDATORS[first.text] &&
    list.length === 2
  ) {
    port.use('sluice', VALIDATORS[first.text]!)
    port.cut(call.getStart(file), list[1]!.getStart(file), `${VALIDATORS[first.text]}(`)
  } else if (role === 'serve' && first && list.length === 1) portServe(port, call, first)
  else port.note(call, `${port.textOf(callee)}(…) is not moved`)
}

/** `serve({ fetch: app.fetch, port })` is `app.listen({ port })`. */
const portServe = (port: Port, call: ts.CallExpression, options: ts.Expression): void => {
  const { ts } = port
  const members = ts.isObjectLiteralExpression(options) ? options.properties : []
  const given = members.map((one) => /^fetch: ([\w$]+)\.fetch$/.exec(port.textOf(one))?.[1]).find(Boolean)
  const app = ts.isIdentifier(options) ? options.text : given
  const rest = members.filter((one) => one.name && /^(port|hostname)$/.test(port.textOf(one.name)))
  const where = rest.length ? `{ ${rest.map((one) => port.textOf(one)).join(', ')} }` : '3000'
  if (app && rest.length === Math.max(0, members.length - 1)) port.replace(call, `${app}.listen(${where})`)
  else port.note(call, 'serve(…): app.listen({ port, hostname })')
}

/** A method of an application. */
const portRoute = (port: Port, call: ts.CallExpression, { name }: ts.PropertyAccessExpression): void => {
  const { ts } = port
  const [path] = call.arguments
  if (name.text === 'route') port.replace(name, 'mount')
  else if (Object.hasOwn(NOTES, name.text)) port.note(name, NOTES[name.text]!)
  if (!path || !ts.isStringLiteralLike(path) || !/^(get|post|put|patch|delete|all|use|route)$/.test(name.text)) return
  if (/[{?]/.test(path.text))
    port.note(path, `${path.text}: optional and pattern parameters are written with sluice/patterns`)
  else if (!/^[/*]/.test(path.text)) port.replace(path, `'/${path.text}'`)
}

const NOTES: { readonly [method: string]: string } = {
  on: 'app.on(…): app.all(path, handler), and a look at ctx.method',
  basePath: 'app.basePath(…): the option createApp({ basePath })',
  onError: 'app.onError(…): the option createApp({ onError: (error, ctx) => … })',
  notFound: 'app.notFound(…): the option createApp({ notFound })',
  mount: 'app.mount(path, fetch): app.all(path, (ctx) => fetch(ctx.request)), whose path keeps its prefix',
  fire: 'app.fire(): export default app, or app.listen(3000)',
}
