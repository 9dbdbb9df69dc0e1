import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ABSENT, CASES, HEAD, WRONG_CALLS } from './type-mistakes.mjs'
import { TYPESCRIPTS, tsc } from './workspace.mjs'

/** A line of code with a mistake, and how the lines begin that every compiler must say about it. */
const MISTAKES = [
  ...CASES,
  ...WRONG_CALLS,
  ...Object.entries(ABSENT).map(([method, instead]) => [
    `pipe(blank, route('POST', '/', async (ctx) => { ctx.${method}(); return text('') }), toFetch)`,
    ['TS2349: This expression is not callable.', `Type 'Import<"${instead}">' has no call signatures.`],
  ]),
]

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What a compiler says about each line of a file: the errors that begin there, without places. */
const saidAbout = (output) => {
  const said = new Map()
  let here = []
  for (const text of output.split('\n')) {
    const [, line, message] = /^mistakes\.ts\((\d+),\d+\): error (.*)/.exec(text) ?? []
    if (line) {
      here = [...(said.get(Number(line)) ?? []), message]
      said.set(Number(line), here)
    } else if (text.trim()) here.push(text.trim())
  }
  return said
}

/** Mistakes that a compiler passes over, explains in other words, or explains at length. @returns a line for each */
export const wrongMessages = ({ folder }) => {
  const project = join(folder, 'type-messages')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  writeFileSync(join(project, 'mistakes.ts'), [...HEAD, ...MISTAKES.map(([code]) => code), ''].join('\n'))
  return TYPESCRIPTS.flatMap((version) => {
    const said = saidAbout(tsc(version, ['-p', '.'], project).output)
    return MISTAKES.flatMap(([code, expected, longest = 2], index) => {
      const lines = said.get(HEAD.length + index + 1) ?? []
      // A text, or one for each compiler
      const isSaid = (text) => lines.some((line) => [text].flat().some((one) => line.startsWith(one)))
      const missing = expected.filter((text) => !isSaid(text))
      if (!missing.length && lines.length <= longest) return []
      return [
        `TypeScript ${version}: ${code}\n  wanted: ${expected.join('\n          ')}\n  got:    ${lines.join('\n          ')}`,
      ]
    })
  })
}
