import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { askUntilClosed, holdAll } from './leave.mjs'
import { createWorld, load, tellAll } from './load.mjs'
import { startRedis, startServer } from './processes.mjs'

/**
 * Five minutes of mixed and hostile load on the built package: `npm run soak [-- seconds]`. Needs `redis-server`; it starts one of its own
 * and restarts it in the middle. Prints figures and `soak N passed, N failed`; exit code 1 when something failed.
 */
const seconds = Number(process.argv[2] ?? 300)
/** Which clients there are: `polite` are those that behave. */
const only = new RegExp(process.argv[3] ?? '.')
const GRACE_MS = 3_000
/** Part of the time after which memory is taken as warm. */
const WARM = 0.3
const QUIET = loadavg()[0] < availableParallelism() / 2

if (!existsSync(fileURLToPath(new URL('../../dist/index.js', import.meta.url))))
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })

const results = []
const check = (sentence, fine, figures) => {
  results.push(fine)
  console.log(`  ${fine ? 'ok    ' : 'FAILED'} ${sentence}: ${figures}`)
}
const MB = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const some = (list) => {
  const kinds = new Map()
  for (const one of list) kinds.set(one, (kinds.get(one) ?? 0) + 1)
  return [...kinds]
    .slice(0, 12)
    .map(([one, count]) => `\n      ${count} × ${one}`)
    .join('')
}

/** What a list has beyond another. */
const more = (before, after) => {
  const left = [...before]
  return after.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const redis = await startRedis()
const server = await startServer(redis.port, GRACE_MS)
const { ports, say } = server

/** Wait until the server holds no more than it did, for as long as its own limits allow. */
const settle = async (descriptors) => {
  let stats
  for (let attempt = 0; attempt < 100; attempt++) {
    stats = await say('stats')
    if (stats.descriptors.length <= descriptors && stats.senders === 0 && stats.scopes === 0) break
    await sleep(250)
  }
  return stats
}

const world = createWorld()
await tellAll(ports, world)
const begin = await settle(0x7fffffff)
console.log(`soak: ${seconds} s, load of the machine ${loadavg()[0].toFixed(1)}, log ${server.log}`)

/**
 * RSS under load, a hundred times in the run. At rest it says little: how far the engine takes its young generation back
 * then differs by 30 MB.
 */
const course = []
const watching = setInterval(async () => course.push((await say('memory')).rss), seconds * 10)
await load(ports, seconds * 1000 * WARM, world, only)
const warm = await settle(begin.descriptors.length)

await say('watch')
const restart = (async () => {
  await sleep(seconds * 1000 * (1 - WARM) * 0.5)
  world.away = true
  await redis.stop()
  await sleep(Math.min(5_000, seconds * 50))
  await redis.start()
  // The client connects again after a pause of its own
  await sleep(1_000)
  world.restarts++
  world.away = false
})()
await load(ports, seconds * 1000 * (1 - WARM), world, only)
await restart
clearInterval(watching)
const delay = await say('delay')
const end = await settle(begin.descriptors.length)

check(
  'answers of well-behaved clients, lost',
  world.lost.length === 0,
  `${world.lost.length} of ${world.answers}${some(world.lost)}`,
)
check(
  'answers of 500 and above to hostile clients',
  world.faults.length === 0,
  `${world.faults.length} of ${world.hostile}${some(world.faults)}`,
)
check(
  'open descriptors are back where they began',
  end.descriptors.length <= begin.descriptors.length,
  `${begin.descriptors.length}, warm ${warm.descriptors.length}, end ${end.descriptors.length}${some(more(begin.descriptors, end.descriptors))}`,
)
check(
  'streams and scopes have ended',
  end.senders === 0 && end.scopes === 0,
  `${end.senders} streams, ${end.scopes} scopes`,
)
/** The level of RSS in a part of the run: its median. */
const level = (from, to) => {
  const part = course.slice(course.length * from, course.length * to).toSorted((a, b) => a - b)
  return part[part.length >> 1]
}
const [early, late] = [level(WARM / 2, WARM), level(1 - WARM / 2, 1)]
const grown = late / early - 1
const memory = `RSS under load ${MB(early)}, then ${MB(late)} (${(grown * 100).toFixed(1)} %)`
// A few seconds warm nothing up
if (seconds >= 60) check('memory after warm-up grows by 10 % at the most', grown <= 0.1, memory)
else console.log(`  not asserted: ${memory}`)
const [rests, heaps] = ['rss', 'heap'].map((name) => [begin, warm, end].map((stats) => MB(stats[name])).join(', '))
console.log(`  not asserted: at rest after a collection, begin, warm, end: RSS ${rests}; heap ${heaps}`)
const inWords = ({ p50, p99, max }) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`
// The clients and Redis share the machine with the server: what it waits for a processor says nothing of its own work
const delays = `${inWords(delay.own)}; with the time in which other processes had the processor ${inWords(delay.all)}`
if (seconds >= 300 && QUIET) check('event-loop delay p99 below 20 ms', delay.own.p99 < 20, delays)
else console.log(`  not asserted: event-loop delay ${delays}`)

const heard = { count: 0, late: 0 }
const release = holdAll(ports)
const asking = Array.from({ length: 12 }, (_, number) => askUntilClosed(ports, number % 2, heard))
while (heard.count < 300) await sleep(10)
const since = performance.now()
server.terminate()
const code = await Promise.race([server.exited, sleep(GRACE_MS + 15_000, 'still there', { ref: false })])
const took = performance.now() - since
release()
const cut = (await Promise.all(asking)).flat()
check('SIGTERM under load: answers lost', cut.length === 0, `${cut.length} of ${heard.count}${some(cut)}`)
// The process needs a moment to end after the last connection was cut
check(
  'SIGTERM: gone by graceMs',
  code === 0 && took < GRACE_MS + 2_000,
  `exit code ${code} after ${took.toFixed(0)} ms of ${GRACE_MS} ms`,
)
const { unhandled = end.unhandled } = server.told
check('unhandled rejections and exceptions', unhandled.length === 0, `${unhandled.length}${some(unhandled)}`)

await redis.stop()
const failed = results.filter((fine) => !fine).length
console.log(`soak ${results.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
