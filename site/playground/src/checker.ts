/** A worker that checks types: the compiler and 500 declarations, loaded when somebody asks for it. */
import ts from 'typescript'
import type { Failure } from './bundler.ts'

const APP = '/app.ts'
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  paths: { sluice: ['/sluice/index.d.ts'], 'sluice/*': ['/sluice/*.d.ts'] },
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
}

let source = ''
let version = 0

const service = fetch(new URL('types.json', self.location.href))
  .then((response): Promise<{ files: Record<string, string> }> => response.json())
  .then(({ files }) => {
    const read = (path: string): string | undefined => (path === APP ? source : files[path])
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [APP],
      getScriptVersion: (path) => (path === APP ? String(version) : '1'),
      getScriptSnapshot: (path) => {
        const text = read(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
      fileExists: (path) => read(path) !== undefined,
      readFile: read,
    }
    return ts.createLanguageService(host)
  })

/** Programs of this page import other packages too, whose types are not here. */
const NO_TYPES = 2307

const check = async (): Promise<Failure[]> => {
  const language = await service
  const found = [...language.getSyntacticDiagnostics(APP), ...language.getSemanticDiagnostics(APP)]
  return found.flatMap(({ code, start = 0, length = 0, file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    if (code === NO_TYPES && !/'sluice\b/.test(text)) return []
    const { line, character } = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 }
    return [{ line: line + 1, column: character, length, text }]
  })
}

self.onmessage = async ({ data }: MessageEvent<{ id: number; source: string }>) => {
  source = data.source
  version += 1
  postMessage({ id: data.id, errors: await check() })
}
