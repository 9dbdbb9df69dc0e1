import { expect, test } from 'vitest'
import { memoryChannel } from '../src/channel/memory.ts'
import { createChannel } from '../src/channel.ts'
import { events } from '../src/client/events.ts'
import { socket } from '../src/client/socket.ts'
import { health } from '../src/health.ts'
import { blank } from '../src/kernel/plan.ts'
import { cache } from '../src/middleware/cache.ts'
import { jwt } from '../src/middleware/jwt.ts'
import { timeout } from '../src/middleware/timeout.ts'
import { pipe } from '../src/pipe.ts'
import { proxyWebSocket } from '../src/proxy/web-socket.ts'
import { proxy } from '../src/proxy.ts'
import { sse } from '../src/respond/sse.ts'
import { redisRateLimit } from '../src/stores/redis-rate-limit.ts'
import { webSocket } from '../src/websocket.ts'

const send = async (): Promise<unknown> => null
const api = { get: () => {} }
/** For a client whose application is not known. */
const listen = socket as unknown as (api: object, path: string, options: object) => AsyncGenerator
const hear = events as unknown as (api: object, path: string, options: object) => AsyncGenerator
const connect: any = () => new Promise(() => {}) // any: a socket that never comes

/** Every option that becomes the delay of a timer. */
const delays: [name: string, least: number, make: (ms: never) => unknown][] = [
  ['sse: heartbeatMs', 0, (heartbeatMs) => sse(() => () => {}, { heartbeatMs }).body?.cancel()],
  ['timeout: ms', 0, (ms) => timeout(ms)],
  ['health: timeoutMs', 1, (timeoutMs) => pipe(blank, health({ timeoutMs }))],
  ['cache: waitMs', 1, (waitMs) => cache({ maxAge: 1, waitMs })],
  ['webSocket: idleTimeoutMs', 1, (idleTimeoutMs) => webSocket(() => ({}), { idleTimeoutMs })],
  ['createChannel: timeoutMs', 1, (timeoutMs) => createChannel(memoryChannel(), { timeoutMs })],
  ['proxy: timeoutMs', 1, (timeoutMs) => proxy('http://a', { timeoutMs })],
  ['proxyWebSocket: timeoutMs', 1, (timeoutMs) => proxyWebSocket('http://a', { connect, timeoutMs })],
  ['redisRateLimit: timeoutMs', 1, (timeoutMs) => redisRateLimit({ send, timeoutMs })],
  ['jwt: jwksTimeoutMs', 0, (jwksTimeoutMs) => jwt({ algorithms: ['RS256'], jwks: 'https://a', jwksTimeoutMs })],
  ['socket: timeoutMs', 1, (timeoutMs) => void listen(api, '/', { connect, timeoutMs }).return(undefined)],
  ['socket: retryMs', 0, (retryMs) => void listen(api, '/', { connect, retryMs }).return(undefined)],
  ['socket: maxRetryMs', 0, (maxRetryMs) => void listen(api, '/', { connect, maxRetryMs }).return(undefined)],
]

test.each(delays)('%s: what a timer cannot wait is refused: it would fire at once', (name, least, make) => {
  const expected = `${name}: expected a whole number of milliseconds from ${least} to 2147483647, got `
  for (const ms of [2 ** 31, Number.POSITIVE_INFINITY, Number.NaN, 1.5, least - 1])
    expect(() => make(ms as never), `${ms}`).toThrow(`${expected}${ms}`)
  expect(() => make('50' as never)).toThrow(`${name}: expected a `)
  for (const ms of [2 ** 31 - 1, 1, least]) expect(() => make(ms as never), `${ms}`).not.toThrow()
})

test.each(['retryMs', 'maxRetryMs'])('events: %s: what a timer cannot wait is refused', async (name) => {
  const expected = `events: ${name}: expected a whole number of milliseconds from 0 to 2147483647, got Infinity`
  await expect(hear(api, '/', { [name]: Number.POSITIVE_INFINITY }).next()).rejects.toThrow(expected)
})

test.each<[object, string]>([
  [{ onErorr() {} }, 'sse: onErorr: unknown option, did you mean "onError"?'],
  [{ onError: 5 }, 'sse: onError: expected a function, got 5'],
  [{ backpressureLimit: '5' }, 'sse: backpressureLimit: expected a number, got "5"'],
  [{ backpressureLimit: Number.NaN }, 'sse: backpressureLimit: expected a number of bytes, got NaN'],
])('sse(%j) is refused', (options, refused) => {
  expect(() => sse(() => {}, options)).toThrow(refused)
})
