import { availableParallelism, cpus, loadavg, release } from 'node:os'
import { parseArgs } from 'node:util'
import { load } from './load.mjs'
import { merge, versionsOf, writeReport } from './report.mjs'
import { rows } from './rows.mjs'
import { cpuOf, start, supports } from './servers.mjs'

/**
 * CPU time (user and system) of the server process per request, as a ratio of a hand-written server on the same runtime: short windows over
 * loopback with wrk, interleaved over all contenders, medians.
 *
 * `npm run bench -- runtimes --runtime node24,bun --row text,post --contender sluice,hono --rounds 9 --seconds 1 --write`
 *
 * `--write` puts what was measured into docs/benchmarks.md; rows and runtimes that were not measured stay as they are.
 */
const { values } = parseArgs({
  options: {
    runtime: { type: 'string', default: 'node20,node24,bun,deno,workerd' },
    row: { type: 'string', default: Object.keys(rows).join(',') },
    contender: { type: 'string', default: 'sluice,fastify,hono,h3,elysia,sirv' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN
const names = (headers) =>
  [...headers.keys()].filter(
    (name) => !/^(date|connection|keep-alive|transfer-encoding|content-length|vary)$/.test(name),
  )

const firstPath = (row) => (row.file ? undefined : (row.first ?? row.path ?? '/'))

const measure = async (runtime, name) => {
  const row = { ...rows[name], file: rows[name].script?.() }
  const servers = []
  row.make?.()
  for (const contender of ['raw', ...values.contender.split(',')]) {
    if (!supports(runtime, contender, name)) continue
    const server = await start(runtime, contender, name, firstPath(row))
    if (!server) continue
    if (row.send) server.field = row.send(server.headers)
    servers.push(server)
  }
  const notes = []
  const expected = names(servers[0].headers)
  for (const server of servers.slice(1)) {
    const missing = expected.filter((field) => !server.headers.has(field))
    if (missing.length && !row.file) notes.push(`${server.contender} does not send ${missing.join(', ')}`)
  }
  try {
    for (const server of [...servers]) {
      try {
        await load(name, row, server, Number(values.seconds))
      } catch (error) {
        // The server by hand is what the others are measured by
        if (server === servers[0]) throw error
        console.log(`${runtime} ${name}: left out, ${error.message.split('\n')[0]}`)
        servers.splice(servers.indexOf(server), 1)
        server.stop()
      }
    }
    for (let round = 0; round < rounds; round++) {
      // From either end, so that nobody is always the first
      for (const server of round % 2 ? servers.toReversed() : servers) {
        const before = cpuOf(server.pid)
        const answered = await load(name, row, server, Number(values.seconds))
        if (answered) server.costs.push((cpuOf(server.pid) - before) / answered)
      }
    }
  } finally {
    for (const server of servers) server.stop()
  }
  const [raw] = servers.map(({ costs }) => median(costs))
  const figures = Object.fromEntries(
    servers.map(({ contender, costs }) => [contender, { cost: median(costs), ratio: raw / median(costs) }]),
  )
  return { figures, notes, rounds, date: new Date().toISOString().slice(0, 10), load: loadavg()[0] }
}

const found = {}
for (const runtime of values.runtime.split(',')) {
  found[runtime] = { version: versionsOf(runtime), rows: {} }
  for (const name of values.row.split(',')) {
    if (!supports(runtime, 'raw', name)) continue
    try {
      const result = await measure(runtime, name)
      found[runtime].rows[name] = result
      const shown = Object.entries(result.figures).map(
        ([who, { cost, ratio }]) => `${who} ${ratio.toFixed(2)} (${cost.toFixed(1)} µs)`,
      )
      console.log(`${runtime.padEnd(7)} ${name.padEnd(8)} ${shown.join(' · ')}`)
      for (const note of result.notes) console.log(`        ${note}`)
    } catch (error) {
      console.log(`${runtime.padEnd(7)} ${name.padEnd(8)} failed: ${error.message}`)
      process.exitCode = 1
    }
  }
}
const machine = `${cpus()[0].model.trim()}, ${availableParallelism()} cores, Linux ${release()}`
if (values.write) writeReport(merge(found, machine))
process.exit()
