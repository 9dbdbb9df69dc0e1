import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { type Config, createConfig } from '../../src/config.ts'
import { Container } from '../../src/container.ts'
import {
  ConfigServiceProvider,
  type MiddlewareRegistry,
  MiddlewareServiceProvider,
  RouteServiceProvider,
} from '../../src/provider/built-in.ts'

afterEach(() => vi.unstubAllEnvs())

describe('C14: config by dotted keys', () => {
  const settings = {
    app: { name: 'shop', port: 0, none: null, gone: undefined },
    hosts: ['a', { b: 1 }],
    '': { '': 'empty' },
  }
  const config = createConfig<object>(settings)

  test.each([
    ['app.name', 'shop'],
    ['app.port', 0],
    ['app.none', null],
    ['app', settings.app],
    ['hosts.0', 'a'],
    ['hosts.1.b', 1],
    ['.', 'empty'],
    ['app.gone', undefined],
    ['app.name.length', undefined],
    ['app.nope.deeper', undefined],
    ['app.none.deeper', undefined],
    ['__proto__', undefined],
    ['__proto__.toString', undefined],
    ['constructor.prototype', undefined],
    ['app.constructor', undefined],
    ['hosts.length', 2],
    ['hosts.map', undefined],
    ['', settings['']],
    ['app.', undefined],
  ])('get(%j)', (key, value) => {
    expect(config.get(key)).toEqual(value)
    expect(config.has(key)).toBe(value !== undefined)
    expect(config.get(key, 'fallback')).toEqual(value === undefined ? 'fallback' : value)
  })

  test('set makes what is missing, leaves the given object alone, frozen or not', () => {
    const given = Object.freeze({ app: Object.freeze({ name: 'a' }), list: Object.freeze([1, 2]) })
    const own = createConfig<object>(given)
    own.set('app.name', 'b')
    own.set('db.pool.max', 5)
    own.set('list.1', 9)
    own.set('app.name.first', 'x')
    expect(own.all()).toEqual({ app: { name: { first: 'x' } }, db: { pool: { max: 5 } }, list: [1, 9] })
    expect(given).toEqual({ app: { name: 'a' }, list: [1, 2] })
  })

  test.each(['__proto__', '__proto__.polluted', 'app.__proto__.polluted'])('set(%j) is refused', (key) => {
    expect(() => createConfig({ app: {} }).set(key, true)).toThrow(TypeError)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('set of `constructor.prototype` touches nothing that is shared', () => {
    const own = createConfig({})
    own.set('constructor.prototype.polluted', true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(own.get('constructor.prototype.polluted')).toBe(true)
  })

  test('types come from the object', () => {
    const typed = createConfig({ app: { name: 'a', port: 1 as number | undefined }, hosts: ['x'] })
    expectTypeOf(typed.get('app.name')).toEqualTypeOf<string>()
    expectTypeOf(typed.get('app')).toEqualTypeOf<{ name: string; port: number | undefined }>()
    expectTypeOf(typed.get('app.port')).toEqualTypeOf<number | undefined>()
    expectTypeOf(typed.get('app.port', 3000)).toEqualTypeOf<number>()
    expectTypeOf(typed.get('app.nope')).toEqualTypeOf<unknown>()
    expectTypeOf(typed.get('app.nope', 'x')).toEqualTypeOf<string>()
    expect(typed.get('hosts.0')).toBe('x')
  })
})

describe('C11, C15: what the built-in providers bind', () => {
  const configOf = (given?: object): Config => {
    const app = { container: new Container() }
    new ConfigServiceProvider(app, given).register()
    return app.container.make<Config>('config')
  }

  test.each([
    ['nothing', undefined, { name: 'app', env: 'test', debug: false }],
    ['a name', { app: { name: 'shop' } }, { name: 'shop', env: 'test', debug: false }],
    ['all', { app: { name: 'x', env: 'y', debug: true, more: 1 } }, { name: 'x', env: 'y', debug: true, more: 1 }],
  ])('app.name, app.env and app.debug are there when %s is given', (_, given, app) => {
    vi.stubEnv('NODE_ENV', 'test')
    expect(configOf(given).get('app')).toEqual(app)
  })

  test.each([
    ['development', { env: 'development', debug: true }],
    ['production', { env: 'production', debug: false }],
    [undefined, { env: 'production', debug: false }],
  ])('NODE_ENV %s', (mode, expected) => {
    vi.stubEnv('NODE_ENV', mode)
    expect(configOf({ db: 1 }).all()).toEqual({ db: 1, app: { name: 'app', ...expected } })
  })

  test('config is made when first asked for', () => {
    const given = {
      get app(): never {
        throw new Error('read too early')
      },
    }
    const app = { container: new Container() }
    new ConfigServiceProvider(app, given).register()
    expect(() => app.container.make('config')).toThrow('read too early')
  })

  test('app and router are the application, middleware is an empty registry', () => {
    const app = { container: new Container() }
    new RouteServiceProvider(app).register()
    new MiddlewareServiceProvider(app).register()
    expect(app.container.make('app')).toBe(app)
    expect(app.container.make('router')).toBe(app)
    const registry = app.container.make<MiddlewareRegistry>('middleware')
    expect(registry.size).toBe(0)
    expect(app.container.make('middleware')).toBe(registry)
  })
})
