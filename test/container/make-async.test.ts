import { describe, expect, test, vi } from 'vitest'
import { extend, makeAsync } from '../../src/container/bindings.ts'
import { createScope, scoped } from '../../src/container/scope.ts'
import { Container } from '../../src/container.ts'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('C6: asynchronous factories', () => {
  test('everybody shares one promise', async () => {
    const connect = vi.fn(async () => {
      await tick()
      return { open: true }
    })
    const container = new Container().singleton('db', connect)
    const [first, second] = await Promise.all([makeAsync(container, 'db'), makeAsync(container, 'db')])
    expect(first).toBe(second)
    expect(await container.make('db')).toBe(first)
    expect(connect).toHaveBeenCalledTimes(1)
  })

  test('a rejected promise is not kept', async () => {
    const connect = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('down')).mockResolvedValue(7)
    const container = new Container().singleton('db', connect)
    await expect(makeAsync(container, 'db')).rejects.toThrow('down')
    expect(await makeAsync(container, 'db')).toBe(7)
  })

  test('synchronous factories and failures come as promises', async () => {
    const container = new Container().instance('a', 1)
    expect(await makeAsync(container, 'a')).toBe(1)
    await expect(makeAsync(container, 'b')).rejects.toThrow('Nothing is bound to "b"')
  })

  test.each([
    ['at once', async () => {}],
    ['after a wait', tick],
  ])('C4: a circle is found when a factory asks %s', async (_, wait) => {
    const container = new Container()
    const asks = (name: string) => async (c: Container) => {
      await wait()
      return makeAsync(c, name)
    }
    container.singleton('a', asks('b')).singleton('b', asks('c')).singleton('c', asks('a'))
    await expect(makeAsync(container, 'a')).rejects.toThrow('Circular dependency: c -> a -> b -> c')
    await expect(Promise.all([makeAsync(container, 'a'), makeAsync(container, 'b')])).rejects.toThrow(
      'Circular dependency',
    )
  })

  test.each(['singleton', 'bind'] as const)(
    'NC10: a circle through `make` of %s is refused with its names',
    async (way) => {
      const container = new Container()
      const asks = (name: string) => async (c: Container) => {
        await tick()
        return c.make(name)
      }
      container[way]('a', asks('b'))
      container[way]('b', asks('c'))
      container[way]('c', asks('a'))
      await expect(container.make('a')).rejects.toThrow('Circular dependency: c -> a -> b -> c')
      await expect(container.make('b')).rejects.toThrow('Circular dependency: a -> b -> c -> a')
    },
  )

  test('NC10: a circle through a scope, and through what `extend` wraps, is refused as well', async () => {
    const container = new Container()
    scoped(container, 'a', async (c) => {
      await tick()
      return c.make('b')
    })
    extend(container, 'a', async (value: unknown) => ({ value: await value }))
    container.bind('b', async (c) => {
      await tick()
      return c.make('a')
    })
    await expect(createScope(container).make('a')).rejects.toThrow('Circular dependency: b -> a -> a -> b')
  })

  test('two that are asked for from outside, and then need one another, do not wait for ever', async () => {
    const container = new Container()
    container.singleton('a', async (c) => {
      await tick()
      return makeAsync(c, 'b')
    })
    container.singleton('b', async (c) => {
      await tick()
      return makeAsync(c, 'a')
    })
    const outcomes = await Promise.allSettled([makeAsync(container, 'a'), makeAsync(container, 'b')])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  })

  test('a diamond is no circle, nor is asking later with the container that was given', async () => {
    const container = new Container()
    container.singleton('leaf', async () => {
      await tick()
      return 1
    })
    container.singleton('left', async (c) => (await makeAsync<number>(c, 'leaf')) + 1)
    container.singleton('right', async (c) => (await makeAsync<number>(c, 'leaf')) + 2)
    container.singleton('top', async (c) => {
      const sides = await Promise.all([makeAsync<number>(c, 'left'), makeAsync<number>(c, 'right')])
      return { sides, later: () => makeAsync<{ sides: number[] }>(c, 'again') }
    })
    container.bind('again', (c) => makeAsync(c, 'top'))
    const top = await makeAsync<{ sides: number[]; later: () => Promise<{ sides: number[] }> }>(container, 'top')
    expect(top.sides).toEqual([2, 3])
    expect((await top.later()).sides).toEqual([2, 3])
  })

  test('forty diamonds on top of each other are searched for a circle once, not by every way through them', async () => {
    const container = new Container()
    let release = (_: number): void => {}
    const released = new Promise<number>((resolve) => {
      release = resolve
    })
    const sides = (level: number): string[] => [`left ${level}`, `right ${level}`]
    for (let level = 0; level < 40; level++)
      for (const side of sides(level))
        container.singleton(side, (c) =>
          level === 39 ? released : Promise.all(sides(level + 1).map((name) => makeAsync(c, name))),
        )
    container.singleton('late', (c) => makeAsync(c, 'left 0'))
    const made = makeAsync(container, 'left 0')
    const late = makeAsync(container, 'late')
    release(1)
    expect(await late).toBe(await made)
  })

  test('it asks scopes as well', async () => {
    const scope = createScope(new Container().singleton('db', async () => 'db'))
    scope.bind('repo', async (c) => `repo of ${await makeAsync<string>(c, 'db')}`)
    expect(await makeAsync(scope, 'repo')).toBe('repo of db')
  })
})
