import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { CacheStore } from '../../src/internal/store/cache-store.ts'
import { type CacheOptions, cache } from '../../src/middleware/cache.ts'
import { text } from '../../src/respond/text.ts'
import { memoryCache } from '../../src/stores/memory-cache.ts'
import { platformCache } from '../../src/stores/platform-cache.ts'
import { redisCache } from '../../src/stores/redis-cache.ts'
import { gate } from '../harness.ts'
import { describeService } from '../services.ts'
import { fakeCaches } from '../stores/fake-caches.ts'

/**
 * Two applications whose caches have one store, as those of two processes have. A page shows the number of changes at
 * the moment when it was begun; `hold` is a page that is finished only when it is told to be.
 */
const sites = (stores: readonly [CacheStore, CacheStore], options: CacheOptions = {}, fields = {}) => {
  const state = { changes: 0, made: 0 }
  const held: { readonly header: string | null; readonly end: () => void }[] = []
  const siteOf = (store: CacheStore): Site => {
    const pages = cache({ store, tags: ['page'], ...options })
    const app = createApp()
      .use(pages)
      .get('/*', async (ctx) => {
        const seen = `${state.changes}`
        state.made++
        if (ctx.header('x-hold') !== null) {
          const { opened, open } = gate()
          held.push({ header: ctx.header('x-hold'), end: open })
          await opened
        }
        return text(seen, 200, { 'cache-control': 'max-age=600', ...fields })
      })
      .post('/*', () => text(`${++state.changes}`))
    const ask = async (headers: Record<string, string> = {}, method = 'GET', path = '/'): Promise<string> =>
      (await app.fetch(new Request(`http://localhost${path}`, { method, headers }))).text()
    return { ask, pages }
  }
  const [here, there] = [siteOf(stores[0]), siteOf(stores[1])]
  /** A page that is being made. */
  const hold = async (site: Site, headers: Record<string, string> = {}) => {
    const before = held.length
    const page = site.ask({ ...headers, 'x-hold': '1' })
    await vi.waitFor(() => expect(held.length).toBe(before + 1))
    return () => {
      held[before]!.end()
      return page
    }
  }
  return { state, here, there, hold }
}
interface Site {
  ask(headers?: Record<string, string>, method?: string, path?: string): Promise<string>
  readonly pages: { purge(tag: string): Promise<void> }
}

const races = (pair: () => readonly [CacheStore, CacheStore]): void => {
  test('MX2: a response that was begun before a purge elsewhere is sent to its client and not stored', async () => {
    const { here, there, hold, state } = sites(pair())
    const end = await hold(here)
    state.changes++
    await there.pages.purge('page')
    expect(await end()).toBe('0')
    expect({ here: await here.ask(), there: await there.ask(), made: state.made }).toEqual({
      here: '1',
      there: '1',
      made: 2,
    })
  })

  test('MX2: a response that was begun before a POST elsewhere is sent to its client and not stored', async () => {
    const { here, there, hold, state } = sites(pair())
    const end = await hold(here)
    await there.ask({}, 'POST')
    expect(await end()).toBe('0')
    expect({ here: await here.ask(), there: await there.ask(), made: state.made }).toEqual({
      here: '1',
      there: '1',
      made: 2,
    })
  })

  test('MX2: a purge of another tag and a POST to another URL let a response be stored', async () => {
    const { here, there, hold, state } = sites(pair())
    const end = await hold(here)
    await there.pages.purge('other')
    await there.ask({}, 'POST', '/other')
    expect({ held: await end(), here: await here.ask(), there: await there.ask(), made: state.made }).toEqual({
      held: '0',
      here: '0',
      there: '0',
      made: 1,
    })
  })

  test('MX2: a request after a POST does not share a response that was begun before it', async () => {
    const { here, there, hold, state } = sites(pair())
    const end = await hold(here)
    await there.ask({}, 'POST')
    const later = here.ask()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect({ held: await end(), later: await later, made: state.made }).toEqual({ held: '0', later: '1', made: 2 })
  })

  test('MX2: a response from before a POST does not replace one from after it', async () => {
    const { here, there, hold, state } = sites(pair())
    const end = await hold(here)
    await there.ask({}, 'POST')
    expect({ there: await there.ask(), held: await end(), thereAgain: await there.ask(), made: state.made }).toEqual({
      there: '1',
      held: '0',
      thereAgain: '1',
      made: 2,
    })
  })

  describe('MX2: variants', () => {
    const [one, two, three] = [{ 'x-a': '1' }, { 'x-a': '2' }, { 'x-a': '3' }]

    test('a variant that was begun before a POST does not bring back the others', async () => {
      const { here, there, hold } = sites(pair(), {}, { vary: 'x-a' })
      await here.ask(one)
      const end = await hold(here, two)
      await there.ask({}, 'POST')
      expect(await end()).toBe('0')
      expect({ one: await here.ask(one), two: await here.ask(two) }).toEqual({ one: '1', two: '1' })
    })

    test('one from before a POST is not stored beside one from after it', async () => {
      const { here, there, hold } = sites(pair(), {}, { vary: 'x-a' })
      await here.ask(one)
      const end = await hold(here, two)
      await there.ask({}, 'POST')
      expect({ there: await there.ask(three), held: await end() }).toEqual({ there: '1', held: '0' })
      expect({ one: await here.ask(one), two: await here.ask(two), three: await here.ask(three) }).toEqual({
        one: '1',
        two: '1',
        three: '1',
      })
    })

    test('a POST and a new variant at the time of the old ones do not bring them back', async () => {
      const { here, state } = sites(pair(), { now: () => 1_700_000_000_000 }, { vary: 'x-a' })
      expect({ one: await here.ask(one), posted: await here.ask({}, 'POST'), two: await here.ask(two) }).toEqual({
        one: '0',
        posted: '1',
        two: '1',
      })
      expect({ one: await here.ask(one), made: state.made }).toEqual({ one: '1', made: 3 })
    })

    test('two that are made at once are both stored', async () => {
      const { here, there, hold, state } = sites(pair(), {}, { vary: 'x-a' })
      const ends = [await hold(here, one), await hold(there, two)]
      for (const end of ends) expect(await end()).toBe('0')
      expect({ one: await there.ask(one), two: await here.ask(two), made: state.made }).toEqual({
        one: '0',
        two: '0',
        made: 2,
      })
    })

    test('a purge elsewhere while one is made keeps it out, and the others stay', async () => {
      const { here, there, hold, state } = sites(
        pair(),
        { tags: (ctx) => [`tag ${ctx.header('x-a')}`] },
        { vary: 'x-a' },
      )
      await here.ask(one)
      const end = await hold(here, two)
      state.changes++
      await there.pages.purge('tag 2')
      expect({ held: await end(), two: await here.ask(two), one: await here.ask(one) }).toEqual({
        held: '0',
        two: '1',
        one: '0',
      })
    })
  })
}

describe('memory', () => {
  races(() => {
    const store = memoryCache()
    return [store, store]
  })

  test('MX2: after more deletions than are remembered, what was begun before them is not stored', async () => {
    const store = memoryCache()
    const { here, hold, state } = sites([store, store])
    const end = await hold(here)
    await here.ask({}, 'POST')
    for (let at = 0; at < 100; at++) await store.delete(`${at}`)
    expect({ held: await end(), next: await here.ask(), afterNext: await here.ask(), made: state.made }).toEqual({
      held: '0',
      next: '1',
      afterNext: '1',
      made: 2,
    })
  })

  test('F15: one name that is deleted again and again counts once', async () => {
    const store = memoryCache()
    const { here, hold, state } = sites([store, store])
    const end = await hold(here)
    for (let at = 0; at < 2000; at++) await store.purge('x'.repeat(1000))
    expect({ held: await end(), next: await here.ask(), made: state.made }).toEqual({ held: '0', next: '0', made: 1 })
  })
})

describe('the Cache API', () => {
  races(() => {
    const store = platformCache({ cache: fakeCaches() })
    return [store, store]
  })
})

describe('MX2: a store that cannot tell the moment', () => {
  const log = vi.spyOn(console, 'error')
  afterAll(() => log.mockRestore())

  test('is reported, responses are sent and shared, and not stored', async () => {
    log.mockImplementation(() => {})
    const begin = () => Promise.reject(new Error('no time'))
    const set = vi.fn()
    const store = { ...memoryCache(), begin, set }
    const { here, hold, state } = sites([store, store])
    const end = await hold(here)
    const second = here.ask()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect({ held: await end(), second: await second, made: state.made }).toEqual({ held: '0', second: '0', made: 1 })
    expect({ set: set.mock.calls.length, log: log.mock.calls.length }).toEqual({ set: 0, log: 1 })
  })

  test('stores as before, if it has none', async () => {
    const { begin, ...store } = memoryCache()
    const { here, state } = sites([store, store])
    expect({ next: await here.ask(), afterNext: await here.ask(), made: state.made }).toEqual({
      next: '0',
      afterNext: '0',
      made: 1,
    })
  })
})

describeService('redis', 'redis', (url) => {
  const client = createClient({ url })
  beforeAll(() => client.connect())
  afterAll(() => client.close())
  const names = () => ({ send: (args: string[]) => client.sendCommand(args), prefix: `race:${randomUUID()}:` })
  races(() => {
    const options = names()
    return [redisCache(options), redisCache(options)]
  })

  test('MX2: a response from after a POST that has expired leaves one from before it out', async () => {
    const store = redisCache(names())
    const entry = { status: 200, fields: [], body: new Uint8Array(1), time: 0, vary: [], tags: [] }
    const life = { fresh: 1, whileRevalidate: 0, ifError: 0, age: 0 }
    const begun = await store.begin!()
    await store.delete('a')
    expect(await store.set('a', { ...entry, life }, 1, await store.begin!())).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(await store.set('a', { ...entry, life }, 1, begun)).toBe(false)
  })

  test('MX2: a response that took more than a minute is not stored', async () => {
    const store = redisCache(names())
    const life = { fresh: 600, whileRevalidate: 0, ifError: 0, age: 0 }
    const entry = { status: 200, fields: [], body: new Uint8Array(1), time: 0, vary: [], tags: [], life }
    const ago = (seconds: number) => `${(Math.floor(Date.now() / 1000) - seconds) * 1e6}`
    expect(await store.set('a', entry, 600, ago(65))).toBe(false)
    expect(await store.set('a', entry, 600, ago(55))).toBe(true)
  })

  test.each<[string, (store: CacheStore) => unknown]>([
    ['deletions', (store) => store.delete('a')],
    ['purges', (store) => store.purge('tag')],
  ])('MX2: of two %s at the same time the later one stays, whichever arrives last', async (_, remove) => {
    const options = names()
    const { opened, open } = gate()
    let commands = 0
    const slow = redisCache({
      ...options,
      async send(args) {
        // The first command asks for the time
        if (commands++) await opened
        return options.send(args)
      },
    })
    const store = redisCache(options)
    const life = { fresh: 600, whileRevalidate: 0, ifError: 0, age: 0 }
    const entry = { status: 200, fields: [], body: new Uint8Array(1), time: 0, vary: [], tags: ['tag'], life }
    await store.begin!() // the script is known
    const earlier = remove(slow)
    await vi.waitFor(() => expect(commands).toBe(2))
    const begun = await store.begin!()
    await remove(store)
    open()
    await earlier
    expect(await store.set('a', entry, 600, begun)).toBe(false)
    expect(await store.set('a', entry, 600, await store.begin!())).toBe(true)
  })

  test('MX2: a deletion by a clock that was set back deletes all the same', async () => {
    const options = names()
    const store = redisCache(options)
    const life = { fresh: 600, whileRevalidate: 0, ifError: 0, age: 0 }
    const entry = { status: 200, fields: [], body: new Uint8Array(1), time: 0, vary: [], tags: [], life }
    await store.delete('a')
    const early = await store.begin!()
    expect(await store.set('a', entry, 600, await store.begin!())).toBe(true)
    let commands = 0
    const behind = redisCache({
      ...options,
      send: async (args): Promise<unknown> => (commands++ ? options.send(args) : ['1700000000', '0']),
    })
    await behind.delete('a')
    expect(await store.get('a')).toBeUndefined()
    expect(await store.set('a', entry, 600, early)).toBe(true)
  })

  test('MX2: two processes that read, change and purge the same pages never send an older page', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const file = fileURLToPath(new URL('fixtures/cache-process.ts', import.meta.url))
    const args = ['--import', 'tsx', '--conditions=sluice-source', file, url, `race:${randomUUID()}:`, '100']
    const env = { ...process.env, NODE_OPTIONS: '', TSX_TSCONFIG_PATH: `${root}tsconfig.json` }
    const both = [1, 2].map(async () => {
      const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
      return JSON.parse(await textOf(child.stdout))
    })
    for (const { old, hits } of await Promise.all(both)) {
      expect(old).toBe(0)
      expect(hits).toBeGreaterThan(0)
    }
  })
})

test('MX2: in a cluster, all moments are those of one clock: that of the node with the key of the time', async () => {
  /** Routes by the first key, as clients of clusters do; what has no key goes to any node. */
  const kept = new Map<string, string>()
  const nodes = [1_700_000_000, 1_700_000_005]
  let keyless = 0
  const send = async ([command, ...args]: readonly string[]): Promise<unknown> => {
    const key = command === 'EVAL' ? args[2]! : (args[0] ?? '')
    const node = key ? key.length % 2 : keyless++ % 2
    const time = [`${nodes[node]}`, '0']
    if (command === 'TIME') return time
    if (command === 'GET') return kept.get(key) ?? null
    if (args.length === 3) return time
    const [, , , begun = '', json = ''] = args
    const gone = kept.get(key)?.slice(0, 16) ?? '0'.repeat(16)
    if (gone >= begun) return 0
    if (args.length === 5) return kept.set(key, begun) && null
    kept.set(key, gone + begun + json)
    return 1
  }
  const { state, here, there, hold } = sites([redisCache({ send }), redisCache({ send })])
  for (let round = 0; round < 4; round++) {
    const end = await hold(here)
    await there.ask({}, 'POST')
    await end()
    expect({ round, body: await here.ask() }).toEqual({ round, body: `${state.changes}` })
    for (const at of nodes.keys()) nodes[at]!++
  }
})
