import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENDERS } from '../bench/types/programs.mjs'
import { tsc } from './workspace.mjs'

const times = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n')

const HEAD = `import { createApp } from 'sluice'
import type { Middleware } from 'sluice/pipe'
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

const Z = "import * as z from 'sluice/z'\n"

/** A list whose items are of two object types: the compiler compares the two. */
const MAPPED = `
const either = z.discriminatedUnion('type', [
  z.object({ type: z.literal('a'), x: z.string() }),
  z.object({ type: z.literal('b'), y: z.number().optional() }),
])
export const tags = either.options.map((option) => option.shape.type)
`

/** A schema that holds itself and has the type that its author gave it. */
const RECURSIVE = `
interface Node {
  children: Node[]
}
export const node: z.ZodType<Node> = z.object({ children: z.array(z.lazy(() => node)) })
`

/** Helpers that take any schema, as they are written for zod 3, and what they are given. */
const HELPERS = `
const one = <T extends z.ZodObject<any>>(schema: T): T => schema
const anything = <T extends z.ZodTypeAny>(schema: T): z.infer<T> => schema.parse({})
const a = z.object({ x: z.string(), y: z.number().optional() })
one(a.strict()).shape.x
one(a.extend({ z: z.string() })).shape.z
anything(a.partial()).x satisfies string | undefined
anything(z.array(a.nullable()))[0]?.x satisfies string | undefined
`

const { app, client } = CONTENDERS['sluice, its z']

/** The application and the client that `test/bench/types` measures beside others, in one file. */
const CLIENT = app(100) + client(100).replace(/^import type .*$/m, '')

/** Programs, and the most type instantiations that each may cost. */
export const COSTS = [
  ['100 routes with inline middleware, 12 middleware', `${HEAD}${APPLICATION}`, 34_700],
  ['100 routes with inline middleware, 12 middleware, 100 schemas', `${HEAD}${APPLICATION}${SCHEMAS}`, 120_000],
  ['100 schemas of 10 fields', `${Z}${SCHEMAS}`, 30_000],
  ['map over the options of a discriminated union', `${Z}${MAPPED}`, 1_200],
  ['a recursive schema of a type that is written down', `${Z}${RECURSIVE}`, 29_500],
  ['helpers over any object and any schema', `import * as z from 'sluice/zod3'\n${HELPERS}`, 9_000],
  ['100 routes with query, body and answer, and 100 calls of a client', CLIENT, 115_000],
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
