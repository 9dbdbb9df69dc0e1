import type ts from 'typescript'
import { portNamed } from './hono-calls.ts'
import { portCall, portProperty } from './hono-context.ts'
import { portFunction, portPattern } from './hono-functions.ts'
import { type Imported, portImports } from './hono-imports.ts'
import { type Note, Port, type TypeScript } from './port.ts'

/** A file that was moved to sluice. */
export interface Ported {
  readonly text: string
  /** What is left to the reader, in the order of the file. */
  readonly notes: readonly Note[]
}

/**
 * Move a module from Hono to sluice. Only what has one counterpart is changed; everything else is noted.
 *
 * @returns undefined for a module that imports nothing from Hono
 */
export const portHono = (ts: TypeScript, name: string, source: string): Ported | undefined => {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  const port = new Port(ts, file)
  const imported = portImports(port)
  if (!imported) return undefined
  visit(port, file, imported, new Set())
  return { text: port.finish(imported.position), notes: [...port.notes].sort((a, b) => a.line - b.line) }
}

/** @param names those of the context in this place */
const visit = (port: Port, node: ts.Node, imported: Imported, names: ReadonlySet<string>): void => {
  const { ts } = port
  if (ts.isImportDeclaration(node)) return
  let inside = names
  if (ts.isFunctionLike(node) && 'body' in node) inside = portFunction(port, node, imported, names)
  else if (ts.isCallExpression(node) && portCall(port, node, names)) {
    for (const argument of node.arguments) visit(port, argument, imported, names)
    return
  } else if (ts.isPropertyAccessExpression(node) && portProperty(port, node, names)) return
  else if (ts.isVariableDeclaration(node)) portPattern(port, node, names)
  else portNamed(port, node, imported)
  ts.forEachChild(node, (child) => visit(port, child, imported, inside))
}
