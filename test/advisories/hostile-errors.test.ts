import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const angry = (): never => {
  throw new Error('looked at')
}

/** A Proxy that throws itself, so that the error of looking at it cannot be looked at either. */
const recursive = (): object => {
  const itself: object = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw itself
      },
      get: () => {
        throw itself
      },
      has: () => {
        throw itself
      },
    },
  )
  return itself
}

const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

const hostile: readonly (readonly [string, () => unknown])[] = [
  ['a Proxy whose prototype cannot be read', () => new Proxy({}, { getPrototypeOf: angry })],
  ['a Proxy whose properties cannot be read', () => new Proxy({}, { get: angry })],
  ['a Proxy that cannot be asked what it has', () => new Proxy({ status: 200 }, { has: angry })],
  ['a Proxy that throws itself', recursive],
  ['a revoked Proxy', () => revoked({})],
  ['a revoked Proxy of an error', () => revoked(new Error('gone'))],
  ['a revoked Proxy of a function', () => revoked(() => {})],
  ['an object whose status cannot be read', () => Object.defineProperty({}, 'status', { get: angry })],
  [
    'an error whose response cannot be read',
    () => Object.defineProperty(new Error('with an answer'), '~response', { get: angry }),
  ],
  ['an error whose stack cannot be read', () => Object.defineProperty(new Error('no stack'), 'stack', { get: angry })],
  [
    'an error whose response cannot be written',
    () => Object.assign(new Error('x'), { '~response': { status: 400, body: { toJSON: angry } } }),
  ],
  ['an object without a prototype', () => Object.create(null)],
  ['a number', () => 200],
  ['null', () => null],
  ['undefined', () => undefined],
]

const ask = async (fetch: (request: Request) => unknown) => {
  const response = (await fetch(new Request('http://localhost/'))) as Response
  return { status: response.status, body: await response.json() }
}

const internal = { status: 500, body: { error: 'Internal Server Error' } }

describe.each(doors)('a thrown value that fails when it is looked at, %s', (_, door) => {
  describe.each(hostile)('%s', (_, make) => {
    const thrower = (): never => {
      throw make()
    }
    test.each([
      ['a handler', { routes: [['GET', '/', thrower]] }],
      ['an asynchronous handler', { routes: [['GET', '/', async () => thrower()]] }],
      ['a middleware', { use: [thrower], routes: [['GET', '/', () => text('ok')]] }],
      ['a middleware around it', { use: [(_: any, next: any) => next()], routes: [['GET', '/', thrower]] }],
      ['onError', { routes: [['GET', '/', angry]], onError: thrower }],
      ['an asynchronous onError', { routes: [['GET', '/', angry]], onError: async () => thrower() }],
    ] as const)('%s throws it: 500, and nothing leaves fetch', async (_, parts) => {
      expect(await ask(door(parts as never) as never)).toEqual(internal)
    })
  })
})

describe.each(doors)('a value that is no response, %s', (_, door) => {
  test.each([
    ['a Proxy whose status cannot be read', () => new Proxy({}, { get: angry })],
    ['a revoked Proxy', () => revoked({})],
  ])('an asynchronous onError that resolves to a list with %s: 500', async (_, make) => {
    const fetch = door({
      routes: [['GET', '/', angry]],
      onError: async () => [make()],
    })
    expect(await ask(fetch as never)).toEqual(internal)
  })

  test('an asynchronous onError that resolves to an object whose status cannot be read: 500', async () => {
    const fetch = door({
      routes: [['GET', '/', angry]],
      onError: async () => Object.defineProperty({}, 'status', { get: angry }),
    })
    expect(await ask(fetch as never)).toEqual(internal)
  })
})
