import type ts from 'typescript'
import { REQUEST, SAME, VALID } from './hono-names.ts'
import type { Port } from './port.ts'

/** A name that can follow a dot. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

const member = (name: string): string => (IDENTIFIER.test(name) ? `.${name}` : `['${name}']`)

/** Rewrite a call of a member of the context, such as `c.req.param('id')`. False if it is not one. */
export const portCall = (port: Port, call: ts.CallExpression, names: ReadonlySet<string>): boolean => {
  const { ts } = port
  const callee = call.expression
  if (!ts.isPropertyAccessExpression(callee)) return false
  const { expression, name } = callee
  if (ts.isPropertyAccessExpression(expression) && isContext(port, expression.expression, names)) {
    const context = port.textOf(expression.expression)
    if (expression.name.text === 'req') return portReader(port, call, context, name.text)
    if (port.textOf(expression) === `${context}.executionCtx` && name.text === 'waitUntil') {
      port.replace(callee, `${context}.waitUntil`)
      return true
    }
  }
  if (port.textOf(callee) === headerSetter(callee, port, names)) return portSetter(port, call)
  return isContext(port, expression, names) && portMethod(port, call, port.textOf(expression), name.text)
}

/** `c.res.headers.set`, if the callee is that. */
const headerSetter = (callee: ts.Expression, port: Port, names: ReadonlySet<string>): string | undefined =>
  [...names].map((name) => `${name}.res.headers.set`).find((text) => text === port.textOf(callee))

/** Rewrite a property of the context that is not called. False if it is not one. */
export const portProperty = (port: Port, node: ts.PropertyAccessExpression, names: ReadonlySet<string>): boolean => {
  const { ts } = port
  const { expression, name } = node
  if (ts.isPropertyAccessExpression(expression) && isContext(port, expression.expression, names)) {
    const context = port.textOf(expression.expression)
    if (expression.name.text === 'var') port.replace(node, `${context}.state${member(name.text)}`)
    else if (expression.name.text === 'req' && Object.hasOwn(REQUEST, name.text))
      port.replace(node, `${context}.${REQUEST[name.text]}`)
    else if (expression.name.text !== 'env') port.note(node, left(port, node))
    return true
  }
  if (!isContext(port, expression, names)) return false
  if (name.text === 'var') port.replace(name, 'state')
  else if (!SAME.has(name.text)) port.note(node, left(port, node))
  return true
}

const isContext = ({ ts }: Port, node: ts.Node, names: ReadonlySet<string>): boolean =>
  ts.isIdentifier(node) && names.has(node.text)

const left = (port: Port, node: ts.Node): string => `${port.textOf(node)} has no counterpart by that name`

/** The text of the only argument, if it is a literal. */
const literalOf = ({ ts }: Port, { arguments: list }: ts.CallExpression): string | undefined => {
  const [first] = list
  return first && list.length === 1 && ts.isStringLiteralLike(first) ? first.text : undefined
}

/** A method of `c.req`. */
const portReader = (port: Port, call: ts.CallExpression, context: string, name: string): boolean => {
  const key = literalOf(port, call)
  const none = call.arguments.length === 0
  const literal = none ? '' : port.textOf(call.arguments[0]!)
  if (name === 'param' && key !== undefined) port.replace(call, `${context}.params${member(key)}`)
  else if (name === 'param' && none) port.replace(call, `${context}.params`)
  else if (name === 'query' && key !== undefined)
    port.replace(call, maybe(port, call, `${context}.query.get(${literal})`))
  else if (name === 'query' && none) port.replace(call, `Object.fromEntries(${context}.query)`)
  else if (name === 'queries' && key !== undefined) {
    port.replace(call, `${context}.query.getAll(${literal})`)
    port.note(call, `${context}.query.getAll('${key}') is an empty list, not undefined, where there is none`)
  } else if (name === 'header' && key !== undefined)
    port.replace(call, maybe(port, call, `${context}.header(${literal})`))
  else if (name === 'header' && none) port.replace(call, `Object.fromEntries(${context}.request.headers)`)
  else if (name === 'valid' && key !== undefined && Object.hasOwn(VALID, key))
    port.replace(call, `${context}.${VALID[key]}`)
  else if (none && Object.hasOwn(REQUEST, name)) port.replace(call.expression, `${context}.${REQUEST[name]}`)
  else port.note(call, left(port, call.expression))
  return true
}

/** A method of `c`. */
const portMethod = (port: Port, call: ts.CallExpression, context: string, name: string): boolean => {
  const { ts } = port
  const [first, second] = call.arguments
  const isStatement = ts.isExpressionStatement(call.parent)
  if (SAME.has(name)) return true
  if (name === 'get' && first && ts.isStringLiteralLike(first)) {
    port.replace(call, `${context}.state${member(first.text)}`)
  } else if (name === 'set' && isStatement && first && second && ts.isStringLiteralLike(first)) {
    port.cut(call.getStart(port.file), second.getStart(port.file), `${context}.state${member(first.text)} = `)
    port.cut(second.end, call.end, '')
  } else if (name === 'header' && call.arguments.length === 2) {
    return portSetter(port, call, `${context}.onResponse`)
  } else if (name === 'body' && first && call.arguments.length < 3) {
    port.cut(call.expression.getStart(port.file), call.expression.end, 'new Response')
    if (second && !ts.isObjectLiteralExpression(second)) {
      port.cut(second.getStart(port.file), second.getStart(port.file), '{ status: ')
      port.cut(second.end, second.end, ' }')
    }
  } else if (name === 'notFound' && ts.isReturnStatement(call.parent)) {
    port.use('sluice', 'HttpError')
    port.replace(call.parent, 'throw new HttpError(404)')
  } else if (name === 'status') {
    port.note(
      call,
      `${context}.status(…): pass the status to the helper that makes the response: ${context}.json(data, 201)`,
    )
  } else port.note(call, left(port, call.expression))
  return true
}

/** `c.header(name, value)` and `c.res.headers.set(name, value)` edit the response that will be sent. */
const portSetter = (port: Port, call: ts.CallExpression, callee?: string): boolean => {
  const [first, second] = call.arguments
  if (!first || !second || call.arguments.length > 2) {
    port.note(call, left(port, call.expression))
    return true
  }
  if (/^.content-type.$/i.test(port.textOf(first))) {
    port.note(call, 'content-type: pass it to the response, new Response(content, { headers })')
    return true
  }
  const [context] = port.textOf(call.expression).split('.')
  port.cut(call.getStart(port.file), first.getStart(port.file), `${callee ?? `${context}.onResponse`}([`)
  port.cut(second.end, call.end, '])')
  return true
}

/** A value that is `null` here and `undefined` in Hono: kept as it was, where the difference could be seen. */
const maybe = ({ ts }: Port, node: ts.Node, text: string): string => {
  const { parent } = node
  const operator = ts.isBinaryExpression(parent) ? parent.operatorToken.getText() : ''
  const isOperand =
    /^[!=]==?$/.test(operator) ||
    (/^(\?\?|\|\|)$/.test(operator) && ts.isBinaryExpression(parent) && parent.left === node) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isIfStatement(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isNonNullExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    (ts.isPropertyAccessExpression(parent) && parent.questionDotToken !== undefined)
  if (isOperand && !comparesUndefined(ts, parent)) return text
  const stands =
    ts.isVariableDeclaration(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isCallExpression(parent) ||
    ts.isArrowFunction(parent)
  return stands ? `${text} ?? undefined` : `(${text} ?? undefined)`
}

const comparesUndefined = (ts: Port['ts'], node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  /^[!=]==$/.test(node.operatorToken.getText()) &&
  /\bundefined$/.test(node.right.getText())
