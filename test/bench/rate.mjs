import { createRig, openFiles } from './clients/rig.mjs'

/**
 * Events at a given rate to one topic with many clients (CH4): how many go out, how long each takes, CPU and memory, beside a
 * hand-written loop over `node:http`. `npm run bench -- rate [clients] [events per second] [seconds]`. One server at a
 * time, with its clients in other processes on the same machine. A rate that is too high for one core is not reached;
 * then the delay is that of a process at its limit.
 */
const [clients = 10_000, perSecond = 100, seconds = 10] = process.argv.slice(2).map(Number)
/** Clients of one process. */
const MOST = 5000

openFiles('rate', clients)
const { start, startServer, quantile, end } = await createRig()
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Wait until nothing more comes. @returns the delays at one client of ten */
const collect = async (visitors) => {
  const delays = []
  for (let quiet = 0; quiet < 3; ) {
    await pause(500)
    const before = delays.length
    for (const visitor of visitors) for (const delay of await visitor.ask('delays')) delays.push(delay)
    quiet = delays.length === before ? quiet + 1 : 0
  }
  return delays
}

const rows = []
let addresses = 1
for (const kind of ['rawSse', 'sse', 'rawSocket', 'socket']) {
  const server = await startServer(kind)
  const visitors = []
  for (let n = 0; n < clients; n += MOST) {
    const visitor = await start('many.mjs')
    visitors.push(visitor)
    const localAddress = `127.0.0.${++addresses}`
    const count = Math.min(MOST, clients - n)
    await visitor.ask('open', { kind, port: server.port, localAddress, count, mayLose: true })
  }
  await server.ask('rate', { perSecond: 10, seconds: 1 })
  await collect(visitors)
  const { rss: idle } = await server.ask('memory')
  const { published, cpu, ms, rss } = await server.ask('rate', { perSecond, seconds })
  const delays = await collect(visitors)
  let lost = 0
  for (const visitor of visitors) lost += await visitor.ask('lost')
  const times = [0.5, 0.99].map((part) => quantile(delays, part)?.toFixed(0))
  const each = (cpu / published / clients).toFixed(1)
  const megabytes = [idle, rss].map((bytes) => Math.round(bytes / 1e6))
  const delivered = Math.round((delays.length * 10) / (ms / 1000))
  rows.push([kind, (published / (ms / 1000)).toFixed(1), delivered, ...times, `${Math.round(cpu / ms / 10)} %`, each])
  rows.at(-1).push(...megabytes, lost)
  for (const one of [...visitors, server]) one.end()
  // The kernel takes a while to let go of so many connections
  await pause(1000)
}
end()

console.log(`\n${clients} clients of one topic, ${perSecond} events per second for ${seconds} s`)
console.log(
  '| | events per second | deliveries per second | p50 ms | p99 ms | CPU of a core | µs per delivery | MB idle | MB peak | cut off |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
