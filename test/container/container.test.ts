import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { alias, bindClass, construct, extend, forget, override } from '../../src/container/bindings.ts'
import { Container, type Token, token } from '../../src/container.ts'

describe('C1: the four ways in', () => {
  test.each([
    ['a string', 'x'],
    ['zero', 0],
    ['undefined', undefined],
    ['null', null],
    ['false', false],
    ['a function', () => 5],
  ])('instance gives %s back as it is', (_, value) => {
    expect(new Container().instance('name', value).make('name')).toBe(value)
  })

  test('bind makes a new value at each make', () => {
    const container = new Container().bind('list', () => [])
    expect(container.make('list')).not.toBe(container.make('list'))
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['an object', {}],
  ])('singleton runs its factory once, also for %s', (_, value) => {
    const factory = vi.fn(() => value)
    const container = new Container().singleton('name', factory)
    expect({ made: container.make('name'), madeAgain: container.make('name') }).toEqual({
      made: value,
      madeAgain: value,
    })
    expect(factory).toHaveBeenCalledTimes(1)
  })

  test('a factory receives the container', () => {
    const container = new Container()
    container.bind('each', (c) => c).singleton('once', (c) => c)
    for (const name of ['each', 'once']) {
      const received = container.make<Container>(name)
      received.instance(`by ${name}`, name)
      expect(container.make(`by ${name}`)).toBe(name)
    }
  })

  test('a singleton that threw is tried again', () => {
    const factory = vi
      .fn<() => number>()
      .mockImplementationOnce(() => {
        throw new Error('down')
      })
      .mockReturnValue(7)
    const container = new Container().singleton('name', factory)
    expect(() => container.make('name')).toThrow('down')
    expect(container.make('name')).toBe(7)
  })

  test('the last binding of a name wins', () => {
    expect(
      new Container()
        .instance('a', 1)
        .singleton('a', () => 2)
        .bind('a', () => 3)
        .make('a'),
    ).toBe(3)
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString', ''])(
    'the name %j is a name like any other',
    (name) => {
      const container = new Container()
      expect(container.has(name)).toBe(false)
      expect(() => container.make(name)).toThrow('Nothing is bound')
      container.instance(name, 1)
      expect(container.make(name)).toBe(1)
    },
  )

  test.each([['bind'], ['singleton']] as const)('%s refuses what is no function when made', (way) => {
    expect(() => new Container()[way]('x', 5 as never)).toThrow(
      new TypeError('container: x: expected a function, got 5'),
    )
  })
})

describe('C2: unknown names', () => {
  const container = new Container().instance('database', 1).instance('mailer', 2).instance('cache', 3)
  test.each([
    ['databse', 'Nothing is bound to "databse". Did you mean "database"?'],
    ['mialer', 'Nothing is bound to "mialer". Did you mean "mailer"?'],
    ['cashe', 'Nothing is bound to "cashe". Did you mean "cache"?'],
    ['queue', 'Nothing is bound to "queue".'],
  ])('%s is named, with near matches', (name, message) => {
    expect(() => container.make(name)).toThrow(new Error(message))
  })
})

describe('C3: classes are bound by saying so', () => {
  class Clock {
    readonly now = 5
  }
  class Greeter {
    readonly clock: Clock
    readonly word: string
    constructor(clock: Clock, word: string) {
      this.clock = clock
      this.word = word
    }
  }

  test('a factory written with `function` is called, never constructed', () => {
    expect(
      new Container()
        .bind('five', function five() {
          return 5
        })
        .make('five'),
    ).toBe(5)
  })

  test('bindClass constructs from the values of names, at each make', () => {
    const container = new Container()
    bindClass(container, 'clock', Clock)
    container.instance('word', 'hi')
    bindClass(container, 'greeter', Greeter, 'clock', 'word')
    const greeter = container.make<Greeter>('greeter')
    expect(greeter).toBeInstanceOf(Greeter)
    expect({ now: greeter.clock.now, word: greeter.word }).toEqual({ now: 5, word: 'hi' })
    expect(container.make('greeter')).not.toBe(greeter)
  })

  test('construct makes a factory for a singleton', () => {
    const container = new Container().singleton('clock', construct(Clock))
    expect(container.make('clock')).toBe(container.make('clock'))
  })
})

describe('C4: circles', () => {
  test.each([
    ['of one', ['a'], 'a -> a'],
    ['of two', ['a', 'b'], 'a -> b -> a'],
    ['of four', ['a', 'b', 'c', 'd'], 'a -> b -> c -> d -> a'],
  ])('a circle %s is shown with its path', (_, names, path) => {
    for (const way of ['bind', 'singleton'] as const) {
      const container = new Container()
      names.forEach((name, index) => void container[way](name, (c) => c.make(names[(index + 1) % names.length]!)))
      expect(() => container.make('a')).toThrow(new Error(`Circular dependency: ${path}`))
      expect(() => container.make('a')).toThrow(path)
    }
  })

  test('a circle through a captured container is found too', () => {
    const container = new Container()
    container.singleton('a', () => container.make('b')).singleton('b', () => container.make('a'))
    expect(() => container.make('a')).toThrow('a -> b -> a')
  })

  test('one name needed twice is no circle, nor is the same name in another container', () => {
    const other = new Container().instance('a', 2)
    const container = new Container().bind('leaf', () => 1)
    container.bind('a', (c) => [c.make('leaf'), c.make('leaf'), other.make('a')])
    expect(container.make('a')).toEqual([1, 1, 2])
  })

  test('after a circle the container works on', () => {
    const container = new Container().bind('a', (c) => c.make('a'))
    expect(() => container.make('a')).toThrow('a -> a')
    expect(container.instance('a', 1).make('a')).toBe(1)
  })
})

describe('C5: types', () => {
  test('chained names and tokens carry their types', () => {
    const port: Token<number> = token<number>('port')
    const container = new Container().instance('host', 'x').singleton('size', () => 3)
    container.instance(port, 80)
    container.singleton(token<{ add(name: string): void }>('names'), () => ({
      add: (name) => expectTypeOf(name).toEqualTypeOf<string>(),
    }))
    expectTypeOf(container.make('host')).toEqualTypeOf<string>()
    expectTypeOf(container.make('size')).toEqualTypeOf<number>()
    expectTypeOf(container.make(port)).toEqualTypeOf<number>()
    expectTypeOf(() => container.make('other' as string)).returns.toEqualTypeOf<unknown>()
    expectTypeOf(() => container.make<Date>('other' as string)).returns.toEqualTypeOf<Date>()
    expect({ host: container.make('host'), size: container.make('size'), port: container.make(port) }).toEqual({
      host: 'x',
      size: 3,
      port: 80,
    })
  })

  test('a container that knows names is a container', () => {
    const plain: Container = new Container().instance('a', 1)
    expect(plain.make('a')).toBe(1)
  })
})

describe('C8: tools around it', () => {
  test('has tells what is bound, forget removes it', () => {
    const container = new Container().instance('a', undefined)
    expect({ a: container.has('a'), b: container.has('b') }).toEqual({ a: true, b: false })
    expect({
      forgotten: forget(container, 'a'),
      forgottenAgain: forget(container, 'a'),
      bound: container.has('a'),
    }).toEqual({ forgotten: true, forgottenAgain: false, bound: false })
  })

  test('alias gives what the target gives at that moment', () => {
    const container = new Container().singleton('db', () => ({}))
    alias(container, 'database', 'db')
    expect(container.make('database')).toBe(container.make('db'))
    container.instance('db', 2)
    expect(container.make('database')).toBe(2)
  })

  test('extend wraps a bind at each make', () => {
    const wrap = vi.fn((list: number[]) => [...list, 2])
    const container = new Container().bind('list', () => [1])
    extend(container, 'list', wrap)
    expect({ made: container.make('list'), madeAgain: container.make('list') }).toEqual({
      made: [1, 2],
      madeAgain: [1, 2],
    })
    expect(wrap).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['before it is made', false],
    ['after it was made', true],
  ])('extend wraps a singleton once, %s', (_, early) => {
    const made = vi.fn(() => ({ base: true }))
    const container = new Container().singleton('x', made)
    if (early) container.make('x')
    extend(container, 'x', (value: object, c) => ({ ...value, same: c.bindings === container.bindings }))
    extend(container, 'x', (value: object) => ({ ...value, twice: true }))
    expect(container.make('x')).toEqual({ base: true, same: true, twice: true })
    expect(container.make('x')).toBe(container.make('x'))
    expect(made).toHaveBeenCalledTimes(1)
  })

  test('extend of an unknown name says so', () => {
    expect(() => extend(new Container(), 'x', (value) => value)).toThrow('Nothing is bound to "x"')
  })

  test('override is undone with the value made before, in any nesting', () => {
    const container = new Container().singleton('mail', () => ({ real: true }))
    const real = container.make('mail')
    const first = override(container, 'mail', { real: false })
    const second = override(container, 'mail', { real: false })
    second()
    first()
    expect(container.make('mail')).toBe(real)
  })

  test('override of an unbound name is undone by removing it, also by dispose', () => {
    const container = new Container()
    const restore = override(container, 'mail', 1)
    expect(container.make('mail')).toBe(1)
    restore[Symbol.dispose]()
    expect(container.has('mail')).toBe(false)
  })
})
