import { describe, expect, test, vi } from 'vitest'
import { extend } from '../../src/container/bindings.ts'
import { createScope, scoped } from '../../src/container/scope.ts'
import { Container } from '../../src/container.ts'

describe('C7: scopes', () => {
  test('a scoped value is made once in each scope', () => {
    const container = new Container()
    scoped(container, 'unit', () => ({}))
    const [one, two] = [createScope(container), createScope(container)]
    expect(one.make('unit')).toBe(one.make('unit'))
    expect(one.make('unit')).not.toBe(two.make('unit'))
  })

  test('a scope asks its parent, also for what is bound later, and shares its singletons', () => {
    const container = new Container()
    const scope = createScope(createScope(container))
    container.singleton('db', () => ({}))
    expect(scope.has('db')).toBe(true)
    expect(scope.make('db')).toBe(container.make('db'))
    expect(() => scope.make('dbx')).toThrow('Did you mean "db"?')
  })

  test('a binding of a scope is only visible in it', () => {
    const container = new Container().instance('who', 'parent')
    const scope = createScope(container)
    scope.instance('who', 'scope')
    expect({ scope: scope.make('who'), container: container.make('who') }).toEqual({
      scope: 'scope',
      container: 'parent',
    })
  })

  test('a scoped factory sees its scope', () => {
    const container = new Container()
    scoped(container, 'greeting', (c) => `hello ${c.make<string>('name')}`)
    const scope = createScope(container)
    scope.instance('name', 'Ann')
    expect(scope.make('greeting')).toBe('hello Ann')
  })

  test('a scoped name cannot be made without a scope, so no singleton holds on to it', () => {
    const container = new Container()
    scoped(container, 'unit', () => 1)
    container.singleton('service', (c) => c.make('unit'))
    expect(() => container.make('unit')).toThrow('"unit" is scoped')
    expect(() => createScope(container).make('service')).toThrow('"unit" is scoped')
  })

  test('values end in reverse order, each by its own way, promises awaited, what was never made left alone', async () => {
    const ended: string[] = []
    const container = new Container()
    scoped(
      container,
      'first',
      () => ({ name: 'first' }),
      (value) => void ended.push(value.name),
    )
    scoped(container, 'second', () => ({ [Symbol.dispose]: () => ended.push('second') }))
    scoped(container, 'third', async () => ({ [Symbol.asyncDispose]: async () => void ended.push('third') }))
    scoped(container, 'plain', () => 5)
    scoped(container, 'none', () => null)
    scoped(
      container,
      'never',
      () => 1,
      () => void ended.push('never'),
    )
    const scope = createScope(container)
    for (const name of ['first', 'second', 'plain', 'none', 'third']) scope.make(name)
    await Promise.all([scope.dispose(), scope.dispose(), scope[Symbol.asyncDispose]()])
    expect(ended).toEqual(['third', 'second', 'first'])
  })

  test('all have their turn when some fail', async () => {
    const container = new Container()
    const end = vi.fn()
    scoped(container, 'good', () => 1, end)
    scoped(
      container,
      'bad',
      () => 1,
      () => Promise.reject(new Error('bad')),
    )
    scoped(
      container,
      'worse',
      () => 1,
      () => {
        throw new Error('worse')
      },
    )
    const one = createScope(container)
    one.make('good')
    one.make('bad')
    await expect(one.dispose()).rejects.toThrow('bad')
    const both = createScope(container)
    for (const name of ['good', 'bad', 'worse']) both.make(name)
    await expect(both.dispose()).rejects.toThrow(AggregateError)
    expect(end).toHaveBeenCalledTimes(2)
  })

  test('a rejected promise is not kept: the next call tries again, and only what was made is disposed of', async () => {
    const container = new Container()
    const end = vi.fn()
    const open = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('pool is empty')).mockResolvedValue(2)
    scoped(container, 'unit', open, end)
    const failing = createScope(container)
    await expect(failing.make('unit')).rejects.toThrow('pool is empty')
    open.mockRejectedValueOnce(new Error('pool is still empty'))
    await expect(failing.make('unit')).rejects.toThrow('pool is still empty')
    expect(await failing.make('unit')).toBe(2)
    await failing.dispose()
    expect(end.mock.calls).toEqual([[2]])
  })

  test('a disposed scope makes nothing scoped any more', async () => {
    const container = new Container()
    scoped(container, 'unit', () => 1)
    const scope = createScope(container)
    await scope.dispose()
    expect(() => scope.make('unit')).toThrow('disposed')
  })

  test('C8: an extended scoped value is wrapped once in each scope, and what is inside ends once', async () => {
    const container = new Container()
    const end = vi.fn()
    scoped(container, 'unit', () => ({ n: 1 }), end)
    extend(container, 'unit', (unit: { n: number }) => ({ n: unit.n + 1 }))
    const scope = createScope(container)
    expect(scope.make('unit')).toEqual({ n: 2 })
    expect(scope.make('unit')).toBe(scope.make('unit'))
    await scope.dispose()
    expect(end.mock.calls).toEqual([[{ n: 1 }]])
  })
})
