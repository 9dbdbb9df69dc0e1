import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { createConfig } from '../../src/config.ts'
import { Container } from '../../src/container.ts'
import { Config } from '../../src/facade/built-in.ts'
import { createFacade, setFacadeContainer, withFacades } from '../../src/facade.ts'
import { asyncLocal as edgeLocal } from '../../src/runtime/edge/async-local.ts'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

afterEach(() => setFacadeContainer(undefined))

class Counter {
  #count = 0
  step = 1
  get count(): number {
    return this.#count
  }
  add(): number {
    this.#count += this.step
    return this.#count
  }
}
const Count = createFacade<Counter>('counter')
const fresh = (): Container => new Container().singleton('counter', () => new Counter())

describe('C12: a facade', () => {
  test('is looked up at each use, not when made', () => {
    setFacadeContainer(fresh())
    expect({ added: Count.add(), addedAgain: Count.add(), count: Count.count }).toEqual({
      added: 1,
      addedAgain: 2,
      count: 2,
    })
    setFacadeContainer(fresh())
    expect(Count.add()).toBe(1)
  })

  test('gives methods bound to the entry, also those that use private fields', () => {
    setFacadeContainer(fresh())
    const { add } = Count
    expect(add()).toBe(1)
  })

  test('sets, has, deletes, lists and is an instance as the entry', () => {
    setFacadeContainer(fresh())
    Count.step = 5
    expect(Count.add()).toBe(5)
    expect({ add: 'add' in Count, nope: 'nope' in Count }).toEqual({ add: true, nope: false })
    expect(Object.keys(Count)).toEqual(['step'])
    expect({ step: Object.hasOwn(Count, 'step'), nope: Object.hasOwn(Count, 'nope') }).toEqual({
      step: true,
      nope: false,
    })
    expect(Count instanceof Counter).toBe(true)
    expect(Reflect.deleteProperty(Count, 'step')).toBe(true)
    expect('step' in Count).toBe(false)
  })

  test('is not thenable, even when the entry is', async () => {
    setFacadeContainer(new Container().instance('counter', { then: () => 'never', add: () => 1 }))
    const awaited = await (Count as unknown as Promise<Counter>)
    expect(awaited.add()).toBe(1)
    expect('then' in Count).toBe(false)
  })

  test.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['an object with toJSON', { toJSON: () => 'me' }, '"me"'],
  ])('serialises as its entry: %s', (_, entry, text) => {
    setFacadeContainer(new Container().instance('counter', entry))
    expect(JSON.stringify(Count)).toBe(text)
  })

  test('prints with and without an application', () => {
    expect(inspect(Count)).toContain("facade: 'counter'")
    expect(String(Object.prototype.toString.call(Count))).toBe('[object Object]')
    expect((Count as unknown as { toJSON: unknown }).toJSON).toBeUndefined()
    setFacadeContainer(fresh())
    expect(inspect(Count)).toContain('counter')
  })

  test('says what is missing: an application, or the name', () => {
    expect(() => Count.add()).toThrow('Facade "counter" has no application container')
    setFacadeContainer(new Container())
    expect(() => Count.add()).toThrow('Nothing is bound to "counter"')
  })
})

describe('C13: whose container', () => {
  test('withFacades holds through awaits, for several at once, and ends with its function', async () => {
    const [one, two, last] = [{ container: fresh() }, { container: fresh() }, fresh()]
    setFacadeContainer(last)
    const run = (app: { container: Container }, times: number) =>
      withFacades(app, async () => {
        for (let i = 0; i < times; i++) {
          await tick()
          Count.add()
        }
        return Count.count
      })
    expect(await Promise.all([run(one, 2), run(two, 5)])).toEqual([2, 5])
    expect(Count.count).toBe(0)
    expect(withFacades(one, () => withFacades(two, () => Count.count) * 10 + Count.count)).toBe(52)
  })

  test('on the edge without AsyncLocalStorage it holds for synchronous functions and refuses promises', () => {
    const global = globalThis as { process?: unknown }
    const { process } = global
    global.process = undefined
    try {
      const local = edgeLocal<number>()
      expect(local.run(1, () => [local.getStore(), local.run(2, () => local.getStore()), local.getStore()])).toEqual([
        1, 2, 1,
      ])
      expect(local.getStore()).toBeUndefined()
      expect(() => local.run(1, async () => {})).toThrow('AsyncLocalStorage')
      expect(() =>
        local.run(1, () => {
          throw new Error('own')
        }),
      ).toThrow('own')
      expect(local.getStore()).toBeUndefined()
    } finally {
      global.process = process
    }
  })

  test('on the edge a global AsyncLocalStorage is used where there is one', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks')
    const global = globalThis as { AsyncLocalStorage?: unknown }
    global.AsyncLocalStorage = AsyncLocalStorage
    try {
      expect(edgeLocal()).toBeInstanceOf(AsyncLocalStorage)
    } finally {
      delete global.AsyncLocalStorage
    }
  })
})

describe('C14: the Config facade', () => {
  test('reads, sets and lists the settings of the application', () => {
    setFacadeContainer(new Container().instance('config', createConfig({ app: { name: 'shop' } })))
    expect(Config.get<string>('app.name')).toBe('shop')
    expect(Config.get('app.port', 3000)).toBe(3000)
    Config.set('app.port', 1)
    expect({ 'app.port': Config.has('app.port'), 'app.x': Config.has('app.x') }).toEqual({
      'app.port': true,
      'app.x': false,
    })
    expect(Config.all()).toEqual({ app: { name: 'shop', port: 1 } })
  })
})
