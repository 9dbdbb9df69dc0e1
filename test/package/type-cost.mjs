import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsc } from './workspace.mjs'

const times = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** 12 middleware that add state, 100 routes with two parameters each, 100 schemas of 10 fields. */
const PROGRAM = `import { createApp, type Middleware } from 'sluice'
import * as z from 'sluice/z'

${times(
  12,
  (n) => `const step${n}: Middleware<{ key${n}: { value: number } }> = (ctx, next) => {
  ctx.state.key${n} = { value: ${n} }
  return next()
}`,
)}

export const app = createApp()
${times(12, (n) => `  .use(step${n})`)}
${times(100, (n) => `  .get('/route${n}/:first/with/:second', (ctx) => ctx.json({ a: ctx.params.first, b: ctx.params.second, c: ctx.state.key${n % 12}.value }))`)}

${times(
  100,
  (n) => `export const schema${n} = z.object({
  a${n}: z.string(), b: z.string().min(1), c: z.number(), d: z.number().int(), e: z.boolean(),
  f: z.string().optional(), g: z.array(z.string()), h: z.date(), i: z.string().nullable(), j: z.enum(['x', 'y']),
})
export type Schema${n} = z.infer<typeof schema${n}>
export const value${n} = (schema: Schema${n}): string => schema.a${n} + schema.b`,
)}
`

/** Type instantiations that the compiler counts for it, under TypeScript 6.0. */
export const instantiations = ({ folder }) => {
  const project = join(folder, 'type-cost')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'program.ts'), PROGRAM)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const { ok, output } = tsc('6.0', ['-p', project, '--extendedDiagnostics'], folder)
  if (!ok) throw new Error(output.slice(0, 2000))
  return Number(/Instantiations:\s+(\d+)/.exec(output)[1])
}
