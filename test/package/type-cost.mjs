import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENDERS } from '../bench/types/programs.mjs'
import { tsc } from './workspace.mjs'

const times = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n')

const HEAD = `import { createApp } from 'sluice'
import type { Middleware } from 'sluice/context'
import * as z from 'sluice/z'

declare const own: <T>(value: T) => Middleware<{ own: T }, { key0: unknown }>
`

/** 12 middleware that add state, 100 routes with two parameters each and a middleware of their own. */
const APPLICATION = `
${times(
  12,
  (n) => `const step${n}: Middleware<{ key${n}: { value: number } }> = (ctx, next) => {
  ctx.state.key${n} = { value: ${n} }
  return next()
}`,
)}

export const app = createApp()
${times(12, (n) => `  .use(step${n})`)}
${times(
  100,
  (n) => `  .get('/route${n}/:first/with/:second', own({ n${n}: 1 }), (ctx) => {
    // @ts-expect-error types are checked: no middleware adds it
    ctx.state.absent
    const { first, second } = ctx.params
    return ctx.json({ first, second, shared: ctx.state.key${n % 12}.value, own: ctx.state.own.n${n} satisfies number })
  })`,
)}
`

/** 100 schemas of 10 fields. */
const SCHEMAS = `
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

const { app, client } = CONTENDERS['sluice, its z']

/** The application and the client that `test/bench/types` measures beside others, in one file. */
const CLIENT = app(100) + client(100).replace(/^import type .*$/m, '')

/** Programs, and the most type instantiations that each may cost. */
export const COSTS = [
  ['100 routes with inline middleware, 12 middleware', `${HEAD}${APPLICATION}`, 32_000],
  ['100 routes with inline middleware, 12 middleware, 100 schemas', `${HEAD}${APPLICATION}${SCHEMAS}`, 120_000],
  ['100 routes with query, body and answer, and 100 calls of a client', CLIENT, 113_500],
]

/** Type instantiations that the compiler counts for a program, under TypeScript 6.0. */
export const instantiations = ({ folder }, program) => {
  const project = join(folder, 'type-cost')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'program.ts'), program)
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
