import { createRig, openFiles } from './clients/rig.mjs'

/**
 * What a live client costs: memory, and CPU of an event to all, beside a hand-written `node:http` loop and `ws` alone.
 * `npm run bench -- clients [clients of each kind] [rounds] [ms between events]`. All four servers stand at once, each with its clients in
 * other processes; rounds of events go through them in turn, and medians are compared.
 */
const [clients = 10_000, rounds = 7, pauseMs = 50] = process.argv.slice(2).map(Number)
const EVENTS = Math.max(5, Math.ceil(20_000 / clients))
const KINDS = ['rawSse', 'sse', 'rawSocket', 'socket']
/** Clients of one process. */
const MOST = 5000
/** Clients that are there before memory is counted: what is made once is made then. */
const FIRST = 500

openFiles('clients', clients + FIRST)
const { start, startServer, quantile, end } = await createRig()
const median = (numbers) => quantile(numbers, 0.5)
const servers = {}
let addresses = 1
for (const kind of KINDS) {
  const server = { ...(await startServer(kind)), visitors: [], delays: [] }
  const add = async (count) => {
    for (let n = 0; n < count; n += MOST) {
      const process = await start('many.mjs')
      server.visitors.push(process)
      const localAddress = `127.0.0.${++addresses}`
      await process.ask('open', { kind, port: server.port, localAddress, count: Math.min(MOST, count - n) })
    }
  }
  await add(FIRST)
  await server.ask('cpu', { events: 3, pauseMs: 20 })
  const before = await server.ask('memory')
  await add(clients)
  const after = await server.ask('memory')
  const each = (name) => Math.round((after[name] - before[name]) / clients)
  servers[kind] = { ...server, used: each('used'), rss: each('rss'), cpu: [] }
}
for (let round = 0; round < rounds; round++)
  for (const kind of KINDS) {
    const { ask, cpu, visitors, delays } = servers[kind]
    for (const visitor of visitors) await visitor.ask('delays')
    const spent = await ask('cpu', { events: EVENTS, pauseMs })
    cpu.push(spent / (EVENTS * (clients + FIRST)))
    for (const visitor of visitors) delays.push(...(await visitor.ask('delays')))
  }

const figures = KINDS.map((kind) => {
  const { used, rss, cpu, delays } = servers[kind]
  return { kind, used, rss, cpu: median(cpu), delays: [0.5, 0.99].map((part) => quantile(delays, part).toFixed(1)) }
})
const times = (of, than, name) => (of[name] / than[name]).toFixed(2)
console.log(`\n${clients} clients of each kind, ${rounds} rounds of ${EVENTS} events, ${pauseMs} ms between them`)
console.log('| | bytes in use | bytes of the process | µs an event and client | ms until it is there: p50, p99 |')
console.log('|---|---|---|---|---|')
for (const { kind, used, rss, cpu, delays } of figures)
  console.log(`| ${kind} | ${used} | ${rss} | ${cpu.toFixed(2)} | ${delays.join(', ')} |`)
for (const [raw, ours] of [
  [figures[0], figures[1]],
  [figures[2], figures[3]],
])
  console.log(
    `| ${ours.kind} / ${raw.kind} | ${['used', 'rss', 'cpu'].map((name) => times(ours, raw, name)).join(' | ')} |`,
  )
end()
