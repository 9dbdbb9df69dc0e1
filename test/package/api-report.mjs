import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { subpathsOf } from '../runtime/workerd.mjs'

/**
 * What every subpath exports, with signatures, from the declarations: `api.report.md`, which a reviewer reads as a
 * diff.
 */
const REPORT = new URL('./api.report.md', import.meta.url)

const SETTINGS = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  noLib: true,
  types: [],
}

const printer = ts.createPrinter({ removeComments: true })

/** The declaration of a name as text, without its documentation. */
const textOf = (declaration) => {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/^export (?:default )?/, '')
    .replace(/^declare /, '')
    .replace(/^ +/gm, (indent) => ' '.repeat(indent.length / 2))
}

const isTypeOnly = (symbol) => symbol.declarations?.some((one) => ts.isTypeOnlyImportOrExportDeclaration(one))

/** The exports of each public subpath: `{ subpath, values, types, signatures }`, all by name. */
export const publicApi = (installed) => {
  const subpaths = subpathsOf(installed)
  const fileOf = (subpath) => join(installed, 'dist', `${subpath === 'sluice' ? 'index' : subpath.slice(7)}.d.ts`)
  const program = ts.createProgram(subpaths.map(fileOf), SETTINGS)
  const checker = program.getTypeChecker()
  return subpaths.map((subpath) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(subpath)))
    const row = { subpath, values: [], types: [], signatures: new Map() }
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const isValue = !isTypeOnly(symbol) && (meant.flags & ts.SymbolFlags.Value) !== 0
      row[isValue ? 'values' : 'types'].push(symbol.name)
      const declarations = (meant.declarations ?? []).filter((one) => !ts.isSourceFile(one))
      row.signatures.set(symbol.name, declarations.map(textOf).join('\n') || 'module')
    }
    row.values.sort()
    row.types.sort()
    return row
  })
}

/** The report. What a subpath shares with an earlier one is told there. */
export const reportOf = (rows) => {
  const told = new Map()
  const parts = rows.map(({ subpath, values, types, signatures }) => {
    const lines = [...values, ...types].map((name) => {
      const signature = signatures.get(name)
      const first = told.get(`${name} ${signature}`)
      if (first) return `// ${name}: see ${first}`
      told.set(`${name} ${signature}`, subpath)
      return signature
    })
    return `## ${subpath}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`
  })
  return `# What the package exports\n\n\`node test/package/api-docs.mjs\` writes this report from the build.\n\n${parts.join('\n')}`
}

/** Lines that came and went since the report was written. */
export const changedApi = (rows) => {
  const [before, now] = [readFileSync(REPORT, 'utf8'), reportOf(rows)].map((text) => text.split('\n'))
  const [old, fresh] = [new Set(before), new Set(now)]
  return [
    ...before.filter((line) => !fresh.has(line)).map((line) => `gone: ${line}`),
    ...now.filter((line) => !old.has(line)).map((line) => `new: ${line}`),
  ].slice(0, 50)
}

export const writeReport = (rows) => writeFileSync(fileURLToPath(REPORT), reportOf(rows))
