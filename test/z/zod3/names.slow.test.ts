import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { NOT_HERE } from './not-here.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const [ZOD, OURS] = [`${root}node_modules/zod/v3/index.d.ts`, `${root}src/zod3.ts`]

/** What a module exports: the names, and of which kind each is. */
const exportsOf = (() => {
  const program = ts.createProgram([ZOD, OURS], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  return (file: string): ReadonlyMap<string, { readonly isType: boolean; readonly isValue: boolean }> => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
    return new Map(
      checker.getExportsOfModule(module).map((name) => {
        const { flags } = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name
        return [name.name, { isType: !!(flags & ts.SymbolFlags.Type), isValue: !!(flags & ts.SymbolFlags.Value) }]
      }),
    )
  }
})()

const [theirs, mine] = [exportsOf(ZOD), exportsOf(OURS)]
const named = Object.values(NOT_HERE).flatMap((names) => names.split(' '))

test('P28: what zod 3 exports is in sluice/z, values and types, but for the names with a reason', () => {
  expect(theirs.size).toBeGreaterThan(240)
  expect([...theirs.keys()].filter((name) => !mine.has(name)).sort()).toEqual(named.sort())
})

test('P28: a name that zod 3 has as a type, or as a value, is the same here; only the symbol BRAND is not', () => {
  const other = [...theirs].filter(([name, { isType, isValue }]) => {
    const here = mine.get(name)
    return here && ((isType && !here.isType) || (isValue && !here.isValue))
  })
  expect(other.map(([name]) => name)).toEqual(['BRAND'])
})

test('docs/z.md says what stands for each name that is not here', () => {
  const text = readFileSync(`${root}docs/z.md`, 'utf8')
  const isTold = (name: string): boolean =>
    text.includes(`\`${name}\``) ||
    (/^Zod\w+Def$/.test(name) && text.includes('`Zod…Def`')) ||
    (/^Zod\w+Check$/.test(name) && text.includes('`Zod…Check`'))
  expect(named.filter((name) => !isTold(name))).toEqual([])
})
