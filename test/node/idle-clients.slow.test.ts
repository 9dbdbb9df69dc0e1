import { afterAll, beforeAll, expect, test } from 'vitest'
// @ts-expect-error: the benchmark, whose contenders and clients these are, is not typed
import { createRig } from '../bench/clients/rig.mjs'

interface Process {
  readonly port: number
  ask(name: string, given?: object): Promise<any>
  end(): void
}

interface Rig {
  start(file: string): Promise<Process>
  startServer(kind: string): Promise<Process>
  end(): void
}

/** What is made once is made for the first ones. All together fit into the 1,024 open files that many systems allow. */
const [FIRST, CLIENTS] = [100, 800]
let rig: Rig

beforeAll(async () => {
  rig = await createRig()
})
afterAll(() => rig.end())

/** Bytes of heap that one more client keeps, once events have come. */
const bytesOf = async (kind: string): Promise<number> => {
  const server = await rig.startServer(kind)
  const visitors: Process[] = []
  const add = async (count: number): Promise<number> => {
    const visitor = await rig.start('many.mjs')
    visitors.push(visitor)
    await visitor.ask('open', { kind, port: server.port, count, mayLose: true })
    await server.ask('cpu', { events: 3, pauseMs: 20 })
    // V8 lets go of unused code after several collections
    for (let n = 0; n < 3; n++) await server.ask('memory')
    return (await server.ask('memory')).used
  }
  const before = await add(FIRST)
  const bytes = ((await add(CLIENTS)) - before) / CLIENTS
  for (const one of [...visitors, server]) one.end()
  return bytes
}

test.each([
  ['server-sent events from a channel', 'sse', 'rawSse'],
  ['a WebSocket', 'socket', 'rawSocket'],
])(
  'CH4, WS4: a client with %s keeps at most 1.25 times the heap of a hand-written one',
  async (_, ours, raw) => {
    const bytes = await bytesOf(ours)
    const least = await bytesOf(raw)
    expect(bytes, `${bytes} beside ${least}`).toBeLessThan(1.25 * least)
  },
  120_000,
)
