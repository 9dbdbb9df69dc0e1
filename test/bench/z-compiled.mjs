/**
 * Schemas that `sluice compile` has compiled, beside the interpreter and code that is written by hand: nanoseconds per
 * call, interleaved rounds of counted calls, medians. `node test/bench/z-compiled.mjs [seconds]`. Compare the ratios.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const seconds = Number(process.argv[2] ?? 20)
const file = (name) => join(tmpdir(), `sluice-${name}-${process.pid}.mjs`)

/** Our sources and the compiler as one module, minified as users ship them. */
await build({
  stdin: {
    contents: `
      export * as z from './src/z.ts'
      export * as helpers from './src/z/compiled.ts'
      export { emitSchema } from './generators/compile/emit.ts'
      export { createInsight } from './generators/compile/insight.ts'`,
    resolveDir: root,
  },
  outfile: file('z'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  conditions: ['sluice-source'],
})
const { z, helpers, emitSchema, createInsight } = await import(pathToFileURL(file('z')).href)

const made = {
  flat: () =>
    z.object({
      id: z.number().int().min(1),
      name: z.string().min(1).max(80),
      role: z.string(),
      age: z.number().int(),
      active: z.boolean(),
      score: z.number(),
      note: z.string().optional(),
    }),
  nested: () =>
    z.object({
      total: z.number(),
      items: z.array(
        z.object({
          id: z.number(),
          title: z.string().min(1),
          price: z.number().min(0),
          tags: z.array(z.string()),
          author: z.object({ name: z.string(), ok: z.boolean() }),
        }),
      ),
    }),
  tagged: () =>
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('point'), x: z.number(), y: z.number() }),
    ]),
  strict: () => z.object({ a: z.string(), b: z.enum(['x', 'y']), c: z.number().nullable() }).strict(),
}

const isNumber = (x) => typeof x === 'number' && !Number.isNaN(x)
const isRecord = (x) => typeof x === 'object' && x !== null && !Array.isArray(x)
const failed = { success: false }
const result = (data) => (data === undefined ? failed : { success: true, data })

/** What one would write instead of a schema: the checks, and a copy without other keys. Its failures say nothing. */
const byHand = {
  flat: (v) => {
    if (!isRecord(v)) return failed
    const { id, name, role, age, active, score, note } = v
    if (!Number.isInteger(id) || id < 1) return failed
    if (typeof name !== 'string' || name.length < 1 || name.length > 80) return failed
    if (typeof role !== 'string' || !Number.isInteger(age) || typeof active !== 'boolean' || !isNumber(score))
      return failed
    if (note !== undefined && typeof note !== 'string') return failed
    const data = { id, name, role, age, active, score }
    if (note !== undefined) data.note = note
    return { success: true, data }
  },
  nested: (v) => {
    if (!isRecord(v) || !isNumber(v.total) || !Array.isArray(v.items)) return failed
    const items = []
    for (const item of v.items) {
      if (!isRecord(item) || !isNumber(item.id) || typeof item.title !== 'string' || item.title.length < 1)
        return failed
      const { id, title, price, tags, author } = item
      if (!isNumber(price) || price < 0 || !Array.isArray(tags) || !isRecord(author)) return failed
      for (const tag of tags) if (typeof tag !== 'string') return failed
      const { name, ok } = author
      if (typeof name !== 'string' || typeof ok !== 'boolean') return failed
      items.push({ id, title, price, tags: [...tags], author: { name, ok } })
    }
    return { success: true, data: { total: v.total, items } }
  },
  tagged: (v) => {
    if (!isRecord(v)) return failed
    if (v.type === 'text') return result(typeof v.text === 'string' ? { type: v.type, text: v.text } : undefined)
    if (v.type !== 'point') return failed
    return result(isNumber(v.x) && isNumber(v.y) ? { type: v.type, x: v.x, y: v.y } : undefined)
  },
  strict: (v) => {
    if (!isRecord(v)) return failed
    const { a, b, c } = v
    for (const key in v) if (key !== 'a' && key !== 'b' && key !== 'c') return failed
    if (typeof a !== 'string' || (b !== 'x' && b !== 'y') || (c !== null && !isNumber(c))) return failed
    return { success: true, data: { a, b, c } }
  },
}

const inputs = {
  flat: { id: 7, name: 'Ada', role: 'admin', age: 36, active: true, score: 1.5, note: 'x' },
  nested: {
    total: 2,
    items: Array.from({ length: 10 }, (_, id) => ({
      id,
      title: `t${id}`,
      price: id,
      tags: ['a', 'b', 'c'],
      author: { name: 'Ada', ok: true },
    })),
  },
  tagged: { type: 'point', x: 1, y: 2 },
  strict: { a: 'x', b: 'y', c: null },
}

/** A schema with the code that the compiler makes of it, and calls that belong to it alone, as in an application. */
const compiledOf = async (name) => {
  const schema = made[name]()
  const { lines } = emitSchema(schema, createInsight())
  const text = `
    export const make = ({ ${Object.keys(helpers).join(', ')} }) => (schema, own) => {\n${lines.join('\n')}\n}
    export const checks = (schema) => (x) => schema.run(x, [])
    export const safeParse = (schema) => (x) => schema.safeParse(x)`
  writeFileSync(file(name), text)
  const { make, checks, safeParse } = await import(pathToFileURL(file(name)).href)
  rmSync(file(name))
  helpers.compiled(schema, make(helpers))
  return [checks(schema), safeParse(schema)]
}

let sink
const time = (run, input, times) => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < times; index++) sink = run(input)
  return Number(process.hrtime.bigint() - start) / times
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1]

const ROUNDS = 15
console.log(
  '| Case | by hand | checks | safeParse | interpreted | checks, safeParse against by hand | interpreted against safeParse |',
)
console.log('|---|---|---|---|---|---|---|')
for (const [name, value] of Object.entries(inputs)) {
  const input = JSON.parse(JSON.stringify(value))
  const interpreted = made[name]()
  const contenders = [byHand[name], ...(await compiledOf(name)), (x) => interpreted.safeParse(x)]
  const plan = contenders.map((run) => {
    for (let index = 0; index < 20_000; index++) sink = run(input)
    return { run, found: [] }
  })
  const once = Math.max(...plan.map(({ run }) => time(run, input, 2000)))
  const share = (seconds * 1e9) / Object.keys(inputs).length / contenders.length / ROUNDS
  const times = Math.max(2000, Math.round(share / once))
  for (let round = 0; round < ROUNDS; round++) for (const each of plan) each.found.push(time(each.run, input, times))
  const [hand, checks, ours, slow] = plan.map(({ found }) => median(found))
  console.log(
    `| ${[name, ...[hand, checks, ours, slow].map((time) => time.toFixed(0)), `${(checks / hand).toFixed(2)}, ${(ours / hand).toFixed(2)}`, (slow / ours).toFixed(2)].join(' | ')} |`,
  )
}
rmSync(file('z'))
void sink
