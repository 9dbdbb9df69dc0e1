import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './ask.mjs'
import { hostile } from './hostile.mjs'
import { stories } from './polite.mjs'
import { cutAll } from './wire.mjs'

const POLITE = 12
/** How many of each kind of hostile client there are at a time. */
const OF_EACH = 2

/** A hostile client whose connection Node has forgotten is not waited for any longer, in milliseconds. */
const LONGEST_MS = 20_000

/** Stories that the polite client tells again after each other, from another place for each client. */
const politeClient = async (ports, number, world) => {
  const names = Object.keys(stories)
  const client = createClient(ports, number % 3)
  for (let step = number * 5; !world.stopped; step++) {
    const name = names[step % names.length]
    try {
      await stories[name](async (...request) => {
        const answer = await client.ask(...request)
        world.answers++
        return answer
      }, world)
    } catch (error) {
      world.lost.push(`${name}: ${error.message}`.slice(0, 500))
    }
  }
  client.close()
}

const hostileClient = async (ports, name, world) => {
  const say = (text) => {
    // What was cut at the end of the load says nothing
    if (world.stopped) return
    world.hostile++
    for (const [line, status] of text.matchAll(/HTTP\/1\.1 (5\d\d)[^\r\n]*/g))
      if (status !== '501') world.faults.push(`${name}: ${line}`)
  }
  while (!world.stopped) {
    await Promise.race([hostile[name](ports, say), sleep(LONGEST_MS, undefined, { ref: false })])
    await sleep(5)
  }
}

/** What a load has found; `away` and `restarts` are set from outside. */
export const createWorld = () => ({
  stopped: false,
  away: false,
  restarts: 0,
  answers: 0,
  hostile: 0,
  lost: [],
  faults: [],
})

/** All clients at once, or those whose names fit a pattern, for a time; then everything is let go. */
export const load = async (ports, ms, world, only = /./) => {
  world.stopped = false
  const polite = Array.from({ length: only.test('polite') ? POLITE : 0 }, (_, number) =>
    politeClient(ports, number, world),
  )
  const rude = Object.keys(hostile)
    .filter((name) => only.test(name))
    .flatMap((name) => Array.from({ length: OF_EACH }, () => hostileClient(ports, name, world)))
  await sleep(ms)
  world.stopped = true
  await Promise.all(polite)
  const cutting = setInterval(cutAll, 100)
  await Promise.all(rude)
  clearInterval(cutting)
}

/** Each story once over each protocol. */
export const tellAll = async (ports, world) => {
  for (const kind of [0, 1, 2]) {
    const client = createClient(ports, kind)
    for (const [name, story] of Object.entries(stories))
      await story(client.ask, world).catch((error) => world.lost.push(`${name}, client ${kind}: ${error.message}`))
    client.close()
  }
}
