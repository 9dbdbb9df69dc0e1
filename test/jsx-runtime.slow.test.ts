import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = `${root}test/jsx/page.tsx`

test('MX16: a page in JSX: TypeScript finds the types, and the mistakes', () => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      isolatedDeclarations: false,
      declaration: false,
      jsx: 'react-jsx',
      jsxImportSource: 'sluice',
    },
    root,
  )
  const program = ts.createProgram([source], options)
  const file = program.getSourceFile(source)!
  const found = [...program.getSemanticDiagnostics(file), ...program.getSyntacticDiagnostics(file)]
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})
