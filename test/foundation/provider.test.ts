import { describe, expect, test, vi } from 'vitest'
import { Container } from '../../src/container.ts'
import { createLifecycle } from '../../src/internal/container/lifecycle.ts'
import { ServiceProvider } from '../../src/provider.ts'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const setUp = () => {
  const log: string[] = []
  const app = { container: new Container() }
  const life = createLifecycle(app)
  const provider = (name: string, wait?: () => Promise<void>) => {
    const step = (what: string) => (): void | Promise<void> => {
      const done = () => void log.push(`${what} ${name}`)
      return wait ? wait().then(done) : done()
    }
    return { register: step('register'), boot: step('boot'), shutdown: step('shutdown') }
  }
  return { log, app, life, provider }
}

describe('C10: providers', () => {
  test('a class is made with the application; a subclass binds through this.app.container', () => {
    const { app, life } = setUp()
    class Database extends ServiceProvider {
      override register() {
        this.app.container.instance('db', 'open')
      }
    }
    life.register(Database)
    expect(app.container.make('db')).toBe('open')
    expect(life.ready()).toBeUndefined()
  })

  test('a provider may have none of the methods', async () => {
    const { app, life } = setUp()
    life.register(ServiceProvider)
    life.register({})
    life.register(new ServiceProvider(app))
    expect(life.ready()).toBeUndefined()
    await life.shutdown()
  })

  test('all register, then all boot, and nothing becomes a promise when nothing is one', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('a'))
    life.register(provider('b'))
    expect(log).toEqual(['register a', 'register b'])
    expect(life.ready()).toBeUndefined()
    expect(log).toEqual(['register a', 'register b', 'boot a', 'boot b'])
    expect(life.ready()).toBeUndefined()
    expect(log).toHaveLength(4)
  })

  test('the order holds when some are asynchronous, and everybody waits for one promise', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('a', tick))
    life.register(provider('b'))
    life.register(provider('c', tick))
    expect(log).toEqual([])
    const first = life.ready()
    expect(life.ready()).toBe(first)
    await first
    expect(log).toEqual(['register a', 'register b', 'register c', 'boot a', 'boot b', 'boot c'])
    expect(life.ready()).toBeUndefined()
  })

  test.each([
    ['synchronous', undefined],
    ['asynchronous', tick],
  ])('registered after the boot, a %s one registers and boots at once', async (_, wait) => {
    const { life, log, provider } = setUp()
    life.register(provider('a'))
    life.ready()
    life.register(provider('late', wait))
    if (!wait) expect(log.slice(2)).toEqual(['register late', 'boot late'])
    await life.ready()
    expect(log).toEqual(['register a', 'boot a', 'register late', 'boot late'])
  })

  test.each([['register'], ['boot']] as const)(
    'one that is registered in the %s of another has its turn after it',
    (step) => {
      const { life, log, provider } = setUp()
      const outer = {
        ...provider('outer'),
        [step]: () => {
          life.register(provider('inner'))
          log.push(`${step} outer`)
        },
      }
      life.register(outer)
      life.register(provider('next'))
      life.ready()
      expect(log).toEqual(
        step === 'register'
          ? ['register outer', 'register inner', 'register next', 'boot outer', 'boot inner', 'boot next']
          : ['register outer', 'register next', 'boot outer', 'register inner', 'boot next', 'boot inner'],
      )
    },
  )

  test('a register that throws is thrown where it is registered', () => {
    const { life } = setUp()
    expect(() =>
      life.register({
        register: () => {
          throw new Error('no')
        },
      }),
    ).toThrow('no')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('after a boot that %s the next call goes on with that provider; the others boot once', async (_, fail) => {
    const { life, log, provider } = setUp()
    const boot = vi
      .fn<() => void | Promise<void>>()
      .mockImplementationOnce(fail)
      .mockImplementation(() => void log.push('boot b'))
    life.register(provider('a'))
    life.register({ boot })
    life.register(provider('c'))
    await expect(life.ready()).rejects.toThrow('down')
    expect(log).toEqual(['register a', 'register c', 'boot a'])
    await life.ready()
    expect(log).toEqual(['register a', 'register c', 'boot a', 'boot b', 'boot c'])
  })

  test('an asynchronous register that rejects is told by ready, and is no unhandled rejection before', async () => {
    const { life } = setUp()
    life.register({ register: () => Promise.reject(new Error('no')) })
    const unhandled = vi.fn()
    process.once('unhandledRejection', unhandled)
    await tick()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    await expect(life.ready()).rejects.toThrow('no')
  })

  test('shutdown runs in reverse, once, for what has booted', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('a', tick))
    life.register(provider('b'))
    await life.ready()
    const closing = life.shutdown()
    expect(life.shutdown()).toBe(closing)
    await closing
    expect(log.slice(-2)).toEqual(['shutdown b', 'shutdown a'])
    expect(log).toHaveLength(6)
  })

  test('providers that have not booted are not shut down; one that is booting is awaited, and no further one boots', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('never asked'))
    await life.shutdown()
    expect(log).toEqual(['register never asked'])
    const other = setUp()
    other.life.register({ ...other.provider('a', tick), register() {} })
    other.life.register(other.provider('b'))
    const ready = other.life.ready()
    await other.life.shutdown()
    await ready
    expect(other.log).toEqual(['register b', 'boot a', 'shutdown a'])
  })

  test('a shutdown that fails does not keep the others from theirs', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('a'))
    life.register({
      shutdown: () => {
        throw new Error('stuck')
      },
    })
    life.register(provider('c'))
    life.ready()
    await expect(life.shutdown()).rejects.toThrow('stuck')
    expect(log.slice(-2)).toEqual(['shutdown c', 'shutdown a'])
  })

  test('a shutdown after a boot that failed still ends what had booted', async () => {
    const { life, log, provider } = setUp()
    life.register(provider('a'))
    life.register({ boot: () => Promise.reject(new Error('down')) })
    await expect(life.ready()).rejects.toThrow('down')
    await life.shutdown()
    expect(log).toEqual(['register a', 'boot a', 'shutdown a'])
  })
})
