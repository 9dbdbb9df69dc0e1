import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Cold start: import, 100 routes and the first answer in a fresh process, Node's own start subtracted. Interleaved rounds, lower quartiles, on
 * built files: `node test/bench/cold-start.mjs [rounds]`; BENCH_NODE names another Node. Peers come from `test/bench/node_modules`.
 */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const rounds = Number(process.argv[2] ?? 25)
const execPath = process.env.BENCH_NODE ?? process.execPath
const dist = (path) => JSON.stringify(here(`../../dist/${path}.js`))
const peer = (name) => JSON.stringify(import.meta.resolve(name))

const fetched = (imports, app, add) => `
${imports}
const app = ${app}
for (let n = 0; n < 100; n++) app.get('/route' + n + '/:id', ${add})
const answer = await app.fetch(new Request('http://localhost/route7/1'))
if (await answer.text() !== 'hello') throw new Error('no answer')
`

const served = (imports, app, add, listen) => `
import { request } from 'node:http'
${imports}
const app = ${app}
for (let n = 0; n < 100; n++) app.get('/route' + n + '/:id', ${add})
const port = await new Promise((resolve) => { ${listen} })
request({ port, path: '/route7/1', host: '127.0.0.1' }, (answer) => answer.on('data', (text) => {
  if (String(text) !== 'hello') throw new Error('no answer')
  process.exit(0)
})).end()
`

/** Programs that import and do no more. The pipe door is what one route that answers text needs. */
const imported = (...specifiers) => specifiers.map((specifier) => `import ${specifier}`).join('\n')

/** Programs by kind: imports alone, an answer in process, and an answer over a socket. Each kind is measured against an empty program of its own. */
const kinds = {
  'import alone': {
    empty: '',
    sluice: imported(dist('index')),
    hono: imported(peer('hono')),
    'sluice/app': imported(dist('app')),
    'sluice/pipe': imported(dist('pipe')),
    'hono/tiny': imported(peer('hono/tiny')),
    'sluice/z': imported(dist('z')),
    'sluice/z/mini': imported(dist('z/mini')),
    valibot: imported(peer('valibot')),
    'zod/mini': imported(peer('zod/mini')),
  },
  'in process': {
    empty: `await new Response('hello').text(); new Request('http://localhost/')`,
    sluice: fetched(`import { createApp } from ${dist('index')}`, 'createApp()', `(ctx) => ctx.text('hello')`),
    'sluice, pipe door': `
import { blank, pipe, route, text, toFetch } from ${dist('pipe')}
const routes = Array.from({ length: 100 }, (_, n) => route('GET', '/route' + n + '/:id', () => text('hello')))
const answer = await toFetch(routes.reduce((plan, step) => step(plan), blank))(new Request('http://localhost/route7/1'))
if (await answer.text() !== 'hello') throw new Error('no answer')
`,
    'hono/tiny': fetched(`import { Hono } from ${peer('hono/tiny')}`, 'new Hono()', `(c) => c.text('hello')`),
    h3: fetched(`import { H3 } from ${peer('h3')}`, 'new H3()', `() => 'hello'`),
  },
  'over a socket': {
    empty: `import { createServer, request } from 'node:http'
      const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1', () =>
        request({ port: server.address().port, host: '127.0.0.1' }, (answer) => answer.on('data', () => process.exit(0))).end())`,
    sluice: served(
      `import { createApp } from ${dist('index')}`,
      'createApp()',
      `(ctx) => ctx.text('hello')`,
      `app.listen({ port: 0, hostname: '127.0.0.1' }, resolve)`,
    ),
    'hono/tiny': served(
      `import { Hono } from ${peer('hono/tiny')}; import { serve } from ${peer('@hono/node-server')}`,
      'new Hono()',
      `(c) => c.text('hello')`,
      `serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port))`,
    ),
    h3: served(
      `import { H3, serve } from ${peer('h3')}`,
      'new H3()',
      `() => 'hello'`,
      `const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true }); server.ready().then(() => resolve(new URL(server.url).port))`,
    ),
  },
}

const folder = mkdtempSync(here('./cold-start-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const run = (file) => {
  const start = performance.now()
  const { status, stderr } = spawnSync(execPath, [file], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0) throw new Error(`${file}: ${stderr}`)
  return performance.now() - start
}

/** The lower quartile: what disturbs a process only ever makes it slower. */
const quartile = (values) => values.toSorted((a, b) => a - b)[values.length >> 2]

for (const [kind, programs] of Object.entries(kinds)) {
  const contenders = Object.entries(programs).map(([name, program], index) => {
    const file = join(folder, `${kind.replaceAll(' ', '-')}-${index}.mjs`)
    writeFileSync(file, program)
    return { name, file, times: [] }
  })
  for (const { file } of contenders) run(file)
  for (let round = 0; round < rounds; round++) for (const { file, times } of contenders) times.push(run(file))
  const [empty, ...others] = contenders
  const base = quartile(empty.times)
  const shown = others.map(({ name, times }) => `${name} ${(quartile(times) - base).toFixed(1)}`)
  console.log(`${kind}, ms: node ${base.toFixed(1)} · ${shown.join(' · ')}`)
}
