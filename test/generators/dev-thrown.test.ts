import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/index.ts'
import { expectLinear } from '../growth.ts'
import { inspected } from './inspector.ts'

const here = () => '127.0.0.1'

/** What a browser, another client and the inspector show of a request whose handler throws. */
const show = async (thrown: unknown, path = '/boom', headers: Record<string, string> = {}) => {
  const app = createApp({ onError: () => new Response('own', { status: 500 }) })
  app.get('/boom', () => {
    throw thrown
  })
  inspected(app, { addressOf: here })
  const ask = async (target: string, accept: string) => {
    const request = new Request(`http://localhost:3000${target}`, {
      headers: { host: 'localhost:3000', ...headers, accept },
    })
    return (await app.fetch(request)).text()
  }
  const page = await ask(path, 'text/html')
  const data: Record<string, unknown> = JSON.parse(await ask(path, '*/*'))
  return {
    page,
    data,
    list: await ask('/__sluice', 'text/html'),
    entry: await ask('/__sluice/requests/1', 'text/html'),
  }
}

const withProperty = (name: string, descriptor: PropertyDescriptor): Error =>
  Object.defineProperty(new TypeError('broken'), name, descriptor)

const refuse = (): never => {
  throw new Error('trap')
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {})
  revoke()
  return proxy
}

describe('F6: an error that cannot be read still has its page', () => {
  test.each<[string, unknown, string]>([
    ['a stack that throws', withProperty('stack', { get: refuse }), '(cannot be read)'],
    ['a message that throws', withProperty('message', { get: refuse }), '(cannot be read)'],
    ['a message that is an object', withProperty('message', { value: { a: 1 } }), 'TypeError: [object Object]'],
    ['a message without a text', withProperty('message', { value: Object.create(null) }), '(cannot be read)'],
    ['a message that is a symbol', withProperty('message', { value: Symbol('m') }), '(cannot be read)'],
    ['a name that is a symbol', withProperty('name', { value: Symbol('n') }), '(cannot be read)'],
    ['a name that throws', withProperty('name', { get: refuse }), '(cannot be read)'],
    ['a cause that throws', withProperty('cause', { get: refuse }), '(cannot be read)'],
    ['a revoked proxy', revoked(), '(cannot be read)'],
    ['a proxy that throws', new Proxy(new Error('x'), { get: refuse, getPrototypeOf: refuse }), '(cannot be read)'],
  ])('%s', async (_, thrown, words) => {
    const { page, data, list, entry } = await show(thrown)
    expect(page).toContain(words)
    expect(data.step).toBe('handler of GET /boom')
    expect(list).toContain('/boom')
    expect(entry).toContain(words)
  })

  test('a value that is no error has no stack, and not one of sluice dev', async () => {
    const { page, data } = await show('text')
    expect(data.stack).toEqual([])
    expect(page).not.toContain('renderErrorPage')
    expect(page).not.toContain('Stack')
  })
})

describe('F6: the page says why', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432')

  test.each<[string, unknown, string[]]>([
    ['its cause', new Error('outer', { cause: refused }), [`Error: ${refused.message}`]],
    [
      'the cause of its cause',
      new Error('outer', { cause: new TypeError('middle', { cause: refused }) }),
      ['TypeError: middle', `Error: ${refused.message}`],
    ],
    [
      'each error of an AggregateError',
      new AggregateError([refused, new Error('<b>')]),
      [`Error: ${refused.message}`, 'Error: <b>'],
    ],
    ['a cause that is no error', new Error('outer', { cause: 'the disk' }), ['the disk']],
    ['no cause', new Error('outer'), []],
  ])('%s', async (_, thrown, causes) => {
    const { page, data, entry } = await show(thrown)
    expect(data.causes).toEqual(causes)
    for (const cause of causes) {
      const markup = cause.replace('<b>', '&lt;b&gt;')
      expect(page).toContain(`Caused by <strong>${markup}</strong>`)
      expect(entry).toContain(markup)
    }
  })

  test('an error without a message is named by its class alone', async () => {
    expect((await show(new AggregateError([refused]))).page).toContain('<h1>AggregateError</h1>')
  })

  test('a circle of causes ends, and a long list of errors is cut after ten', async () => {
    const circle: Error & { cause?: unknown } = new Error('round')
    circle.cause = circle
    expect((await show(circle)).data.causes).toEqual([])
    const many = new AggregateError(Array.from({ length: 5000 }, (_, index) => new Error(`${index}`)))
    expect((await show(many)).data.causes).toHaveLength(10)
  })

  test('a message of 3 MB is cut, and the frames below it are kept', async () => {
    const { page, data } = await show(new Error('long '.repeat(600_000)))
    expect(page.length).toBeLessThan(100_000)
    expect(String(data.error).length).toBeLessThan(20_000)
    expect(page).toContain('dev-thrown.test.ts')
    expect(JSON.stringify(data.stack)).toContain('dev-thrown.test.ts')
  })
})

describe('F6: secrets are hidden in linear time', () => {
  test.each<[string, (size: number) => string, string]>([
    [
      'a query of many tokens',
      (size) => Array.from({ length: size / 16 }, (_, n) => `token${1e6 + n}=1`).join('&'),
      '',
    ],
    ['a header of many addresses', () => '', '://:'],
    ['a header of many users', () => '', 'a://b:c '],
  ])('%s', async (_, query, part) => {
    await expectLinear(
      32_000,
      (size) => [`/boom?${query(size)}`, part.repeat(size / 4)] as const,
      ([path, field]) => show(new Error('x'), path, field === '' ? {} : { 'x-field': field.trim() }),
    )
  })

  test('each value of a token that is repeated, and the other values as they were', async () => {
    const { data } = await show(new Error('x'), '/boom?token=hunter1&a=%20b&token=hunter2')
    expect((data.request as { url: string }).url).toMatch(/\?token=%28hidden%29&a=(?:\+|%20)b&token=%28hidden%29$/)
    const untouched = await show(new Error('x'), '/boom?a=%20b&c')
    expect((untouched.data.request as { url: string }).url).toBe('http://localhost:3000/boom?a=%20b&c')
  })

  test.each([
    ['postgres://root:hunter2@db/x', 'postgres://root:(hidden)@db/x'],
    ['a postgres://root:hun@ter2@db/x b', 'a postgres://root:(hidden)@db/x b'],
    ['x://a:p@h y://b:q@h', 'x://a:(hidden)@h y://b:(hidden)@h'],
    ['http://localhost:3000/@me', 'http://localhost:(hidden)@me'],
    ['http://localhost/@me', 'http://localhost/@me'],
  ])('the password of %s', async (value, shown) => {
    expect((await show(new Error('x'), '/boom', { 'x-field': value })).page).toContain(`<td>${shown}`)
  })
})
