/**
 * `z` against its peers: nanoseconds per parse, interleaved rounds, medians. `node test/bench/z.mjs [seconds]`, on Node that strips types or
 * after `npm run build`; peers that are not installed are left out. Compare the ratios, not the times.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const peers = process.env.BENCH_PEERS ?? join(root, 'test/bench')
const seconds = Number(process.argv[2] ?? 20)

/** Our sources as one module, minified as users ship them. */
const bundle = join(tmpdir(), `sluice-z-${process.pid}.mjs`)
await build({
  entryPoints: [join(root, 'src/z.ts')],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  conditions: ['sluice-source', 'workerd'],
})

const locate = (name) => {
  for (const folder of [peers, root]) {
    if (existsSync(join(folder, 'node_modules', name.split('/')[0])))
      return createRequire(join(folder, 'x.js')).resolve(name)
  }
}
const load = async (name) => {
  const path = locate(name)
  return path && import(pathToFileURL(path).href)
}

const z = await import(pathToFileURL(bundle).href)
const zod4 = (await load('zod'))?.z
const zod3 = (await load('zod/v3'))?.z
const v = await load('valibot')
const s = await load('superstruct')

/** The same schemas for the libraries that chain. */
const chained = (z) => {
  const flat = z.object({
    id: z.number().int().min(1),
    name: z.string().min(1).max(80),
    role: z.string(),
    age: z.number().int(),
    active: z.boolean(),
    score: z.number(),
    note: z.string().optional(),
  })
  const item = z.object({
    id: z.number(),
    title: z.string().min(1),
    price: z.number().min(0),
    tags: z.array(z.string()),
    author: z.object({ name: z.string(), ok: z.boolean() }),
  })
  return {
    flat,
    nested: z.object({ total: z.number(), items: z.array(item) }),
    strings: z.object({ email: z.string().email(), id: z.string().uuid(), site: z.string().url() }),
    union: z.union([z.string(), z.number(), z.object({ a: z.string() })]),
    create: () =>
      z.object({
        a: z.string().min(1),
        b: z.string().email(),
        c: z.number().int(),
        d: z.boolean(),
        e: z.string().optional(),
        f: z.array(z.string()),
        g: z.number().min(0).max(9),
        h: z.string().nullable(),
        i: z.date(),
        j: z.string().max(5),
      }),
  }
}

const piped = (v) => ({
  flat: v.object({
    id: v.pipe(v.number(), v.integer(), v.minValue(1)),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
    role: v.string(),
    age: v.pipe(v.number(), v.integer()),
    active: v.boolean(),
    score: v.number(),
    note: v.optional(v.string()),
  }),
  nested: v.object({
    total: v.number(),
    items: v.array(
      v.object({
        id: v.number(),
        title: v.pipe(v.string(), v.minLength(1)),
        price: v.pipe(v.number(), v.minValue(0)),
        tags: v.array(v.string()),
        author: v.object({ name: v.string(), ok: v.boolean() }),
      }),
    ),
  }),
  strings: v.object({
    email: v.pipe(v.string(), v.email()),
    id: v.pipe(v.string(), v.uuid()),
    site: v.pipe(v.string(), v.url()),
  }),
  union: v.union([v.string(), v.number(), v.object({ a: v.string() })]),
  create: () =>
    v.object({
      a: v.pipe(v.string(), v.minLength(1)),
      b: v.pipe(v.string(), v.email()),
      c: v.pipe(v.number(), v.integer()),
      d: v.boolean(),
      e: v.optional(v.string()),
      f: v.array(v.string()),
      g: v.pipe(v.number(), v.minValue(0), v.maxValue(9)),
      h: v.nullable(v.string()),
      i: v.date(),
      j: v.pipe(v.string(), v.maxLength(5)),
    }),
})

const structured = (s) => ({
  flat: s.mask
    ? s.object({
        id: s.min(s.integer(), 1),
        name: s.size(s.string(), 1, 80),
        role: s.string(),
        age: s.integer(),
        active: s.boolean(),
        score: s.number(),
        note: s.optional(s.string()),
      })
    : undefined,
  nested: s.object({
    total: s.number(),
    items: s.array(
      s.object({
        id: s.number(),
        title: s.nonempty(s.string()),
        price: s.min(s.number(), 0),
        tags: s.array(s.string()),
        author: s.object({ name: s.string(), ok: s.boolean() }),
      }),
    ),
  }),
  union: s.union([s.string(), s.number(), s.object({ a: s.string() })]),
})

/** What one would write without a library: checks, and a fresh object. */
const byHand = () => {
  const flat = (x) =>
    typeof x === 'object' &&
    x !== null &&
    Number.isInteger(x.id) &&
    x.id >= 1 &&
    typeof x.name === 'string' &&
    x.name.length > 0 &&
    x.name.length <= 80 &&
    typeof x.role === 'string' &&
    Number.isInteger(x.age) &&
    typeof x.active === 'boolean' &&
    typeof x.score === 'number' &&
    (x.note === undefined || typeof x.note === 'string')
      ? { id: x.id, name: x.name, role: x.role, age: x.age, active: x.active, score: x.score, note: x.note }
      : undefined
  const item = (x) =>
    typeof x.id === 'number' &&
    typeof x.title === 'string' &&
    x.title.length > 0 &&
    typeof x.price === 'number' &&
    x.price >= 0 &&
    Array.isArray(x.tags) &&
    x.tags.every((tag) => typeof tag === 'string') &&
    typeof x.author?.name === 'string' &&
    typeof x.author.ok === 'boolean'
      ? {
          id: x.id,
          title: x.title,
          price: x.price,
          tags: [...x.tags],
          author: { name: x.author.name, ok: x.author.ok },
        }
      : undefined
  return { flat, nested: (x) => (Array.isArray(x.items) ? { total: x.total, items: x.items.map(item) } : undefined) }
}

const flat = { id: 5, name: 'Ada', role: 'admin', age: 30, active: true, score: 0.5, note: 'hi' }
const item = (index) => ({
  id: index,
  title: `t${index}`,
  price: index,
  tags: ['a', 'b'],
  author: { name: 'n', ok: true },
})
const nested = { total: 20, items: Array.from({ length: 20 }, (_, index) => item(index)) }
const wrong = {
  total: 20,
  items: nested.items.map((entry, index) =>
    index % 4 ? entry : { ...entry, price: 'x', author: { name: 1, ok: true } },
  ),
}
const inputs = {
  'flat object of 7 fields, valid': ['flat', flat],
  'nested, array of 20 objects, valid': ['nested', nested],
  'strings: email, uuid, url': [
    'strings',
    { email: 'ada@x.io', id: '7d444840-9dc0-41d1-b245-5ffdce74fad2', site: 'https://x.io/a' },
  ],
  'union, last option': ['union', { a: 'x' }],
  'unknown keys stripped': ['flat', { ...flat, more: 1, other: 'x', third: [] }],
  'nested, invalid, every issue reported': ['nested', wrong],
}

const contenders = [
  ['sluice', chained(z), (schema) => (x) => schema.safeParse(x)],
  ['by hand', byHand(), (check) => check],
]
if (v) contenders.push(['valibot', piped(v), (schema) => (x) => v.safeParse(schema, x)])
if (zod4) {
  contenders.push(['zod 4', chained(zod4), (schema) => (x) => schema.safeParse(x)])
  contenders.push(['zod 4 without eval', chained(zod4), (schema) => (x) => schema.safeParse(x, { jitless: true })])
}
if (zod3) contenders.push(['zod 3', chained(zod3), (schema) => (x) => schema.safeParse(x)])
if (s) contenders.push(['superstruct', structured(s), (schema) => (x) => s.validate(x, schema, { mask: true })])

let sink
const time = (run, input, times) => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < times; index++) sink = run(input)
  return Number(process.hrtime.bigint() - start) / times
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1]
const copy = (value) => JSON.parse(JSON.stringify(value))

const rows = Object.entries(inputs).map(([name, [kind, value]]) => ({
  name,
  input: copy(value),
  runs: contenders.flatMap(([who, schemas, parse]) => (schemas[kind] ? [[who, parse(schemas[kind])]] : [])),
}))
rows.push({
  name: 'build a schema of 10 fields',
  runs: contenders.flatMap(([who, { create }]) => (create ? [[who, create]] : [])),
})

const share = (seconds * 1000) / rows.length
console.log(
  `| Case | ${contenders.map(([who]) => who).join(' | ')} | sluice against zod 4, valibot |\n|---|${'---|'.repeat(contenders.length + 1)}`,
)
for (const { name, input, runs } of rows) {
  const rounds = 15
  const plan = runs.map(([who, run]) => {
    for (let index = 0; index < 300; index++) sink = run(input)
    const once = time(run, input, 200)
    return { who, run, times: Math.max(20, Math.round((share * 1e6) / runs.length / rounds / once)), found: [] }
  })
  for (let round = 0; round < rounds; round++)
    for (const each of plan) each.found.push(time(each.run, input, each.times))
  const result = Object.fromEntries(plan.map(({ who, found }) => [who, median(found)]))
  const ratio = (who) => (result[who] ? (result.sluice / result[who]).toFixed(2) : '–')
  console.log(
    `| ${name} | ${contenders.map(([who]) => result[who]?.toFixed(0) ?? '–').join(' | ')} | ${ratio('zod 4')}, ${ratio('valibot')} |`,
  )
}

/** A fresh process: load, build a small schema, parse once; Node's own start subtracted. */
const first = (code) => {
  const runs = Array.from({ length: 5 }, () => {
    const start = process.hrtime.bigint()
    execFileSync(process.execPath, ['--input-type=module', '-e', code])
    return Number(process.hrtime.bigint() - start) / 1e6
  })
  return median(runs)
}
const bare = first('')
const starts = [
  ['sluice', bundle, 'z'],
  ['valibot', locate('valibot'), 'v'],
  ['zod 4', locate('zod'), 'z'],
  ['zod 3', locate('zod/v3'), 'z'],
]
console.log('\nfirst parse in a fresh process, with loading (ms):')
for (const [who, path, kind] of starts) {
  if (!path) continue
  const from = `import * as z from ${JSON.stringify(pathToFileURL(path).href)};`
  const parse =
    kind === 'v'
      ? 'z.safeParse(z.object({ a: z.string() }), { a: "x" })'
      : 'z.object({ a: z.string() }).safeParse({ a: "x" })'
  console.log(`  ${who}: ${(first(from + parse) - bare).toFixed(1)}`)
}

/** Bytes held by a schema. */
if (globalThis.gc) {
  const held = (make) => {
    globalThis.gc()
    const before = process.memoryUsage().heapUsed
    const kept = Array.from({ length: 2000 }, make)
    globalThis.gc()
    return (process.memoryUsage().heapUsed - before) / kept.length
  }
  console.log('\nbytes of memory per schema of 10 fields:')
  for (const [who, { create }] of contenders) if (create) console.log(`  ${who}: ${held(create).toFixed(0)}`)
}
void sink
