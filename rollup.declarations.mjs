import { posix } from 'node:path'
import ts from 'typescript'
import { isPublic } from './rollup.production.mjs'

/** tsc indents by four spaces; one is enough. */
const narrow = (code) => code.replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4))

/** Matches `.ts` in relative imports of declarations. */
const neighbours = /(?<=(?:from|import)\s*\(?\s*['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g

/** Any name: what `export *` and `import * as` ask for. */
const ALL = '*'

const isReference = (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)

const bindingsOf = (statement) =>
  ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause

const namesOf = (statement) =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.text)
    : [ts.isModuleDeclaration(statement) ? undefined : statement.name?.text]

/**
 * A file of declarations: what each of its names leads to, a statement or a name of another file. A statement without a
 * name (`declare global`) counts as one called `undefined`.
 */
const parse = (path, source) => {
  const { statements } = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const names = new Map([[undefined, []]])
  const add = (name, target) => names.set(name, [...(names.get(name) ?? []), target])
  const fileOf = ({ text }) => posix.join(posix.dirname(path), text).replace(/\.js$/, '.d.ts')
  for (const statement of statements) {
    if (!isReference(statement)) for (const name of namesOf(statement)) add(name, { statement })
    else {
      const file = statement.moduleSpecifier ? fileOf(statement.moduleSpecifier) : path
      const isExport = ts.isExportDeclaration(statement)
      const bindings = bindingsOf(statement)
      for (const { name, propertyName = name } of bindings?.elements ?? [])
        add(name.text, { file, name: propertyName.text, isExport })
      if (isExport || statement.importClause) {
        if (!bindings?.elements) add(bindings?.name.text ?? ALL, { file, name: ALL, isExport })
      } else add(undefined, { file, name: undefined })
    }
  }
  return { statements, names, fileOf }
}

/** The names that the public files reach, as `file name`. */
const reachedFrom = (publicPaths, files) => {
  const reached = new Set()
  const followNode = (path, node) => {
    const { names, fileOf } = files.get(path)
    if (ts.isIdentifier(node) && names.has(node.text)) reach(path, node.text)
    if (ts.isImportTypeNode(node)) reach(fileOf(node.argument.literal), node.qualifier?.getText().split('.')[0] ?? ALL)
    ts.forEachChild(node, (child) => followNode(path, child))
  }
  const reach = (path, name) => {
    const { names } = files.get(path) ?? {}
    if (!names || reached.has(`${path} ${name}`)) return
    reached.add(`${path} ${name}`)
    for (const one of name === ALL ? names.keys() : [undefined]) reach(path, one)
    const stars = (names.get(ALL) ?? []).map(({ file }) => ({ file, name }))
    for (const target of names.get(name) ?? stars)
      target.statement ? followNode(path, target.statement) : reach(target.file, target.name)
  }
  for (const path of publicPaths) reach(path, ALL)
  return reached
}

/** The files whose names a public one exports again: editors show their documentation. */
const shownFrom = (publicPaths, files) => {
  const shown = new Set(publicPaths)
  for (const path of shown) {
    const { names = new Map() } = files.get(path) ?? {}
    for (const { file, name, isExport } of Array.from(names.values()).flat())
      if (isExport)
        for (const origin of file === path ? names.get(name) : [{ file }]) if (origin.file) shown.add(origin.file)
  }
  return shown
}

const withoutDocs = (code) => code.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')

/** The comment of a whole file, in front of its first import. */
const headOf = ([first]) =>
  first && isReference(first) ? first.getFullText().slice(0, first.getLeadingTriviaWidth()) : ''

/** A statement with the names that are reached; empty if none is. */
const reachedPart = (statement, isReached) => {
  if (!isReference(statement)) return namesOf(statement).some(isReached) ? statement.getFullText() : ''
  const { elements } = bindingsOf(statement) ?? {}
  if (!elements?.length) return `\n${statement.getText()}`
  const list = elements.filter(({ name }) => isReached(name.text)).map((element) => element.getText())
  return list.length > 0 ? `\n${statement.getText().replace(/\{[^}]*\}/, `{ ${list.join(', ')} }`)}` : ''
}

/**
 * Declarations name their neighbours as `.js`, which every TypeScript resolves. What no public name reaches is not
 * published, nor is the documentation of internal names.
 */
export const declarations = {
  name: 'declarations',
  generateBundle(_, bundle) {
    const paths = Object.keys(bundle).filter((path) => path.endsWith('.d.ts'))
    const sources = new Map(paths.map((path) => [path, narrow(bundle[path].source.replace(neighbours, '$1.js'))]))
    const files = new Map(Array.from(sources, ([path, source]) => [path, parse(path, source)]))
    const publicPaths = paths.filter(isPublic)
    const reached = reachedFrom(publicPaths, files)
    const shown = shownFrom(publicPaths, files)
    for (const path of paths) {
      const isReached = (name) => reached.has(`${path} ${name}`)
      if (isPublic(path)) bundle[path].source = sources.get(path)
      else if (!isReached(undefined)) delete bundle[path]
      else {
        const { statements } = files.get(path)
        const code = headOf(statements) + statements.map((statement) => reachedPart(statement, isReached)).join('')
        bundle[path].source = `${shown.has(path) ? code : withoutDocs(code)}\n`.trimStart()
      }
    }
  },
}
