import { checkNames, checkOption } from '../options/check.ts'
import { createCircuitBreaker } from '../time/circuit-breaker.ts'
import { checkDelay } from '../time/delay.ts'
import { timedOut } from '../time/in-time.ts'
import { withoutSentData } from './without-sent-data.ts'

/** Sends one command and resolves to its reply, with any client. */
export type RedisSend = (args: string[]) => Promise<unknown>

/** Options that all Redis stores have. */
export interface RedisOptions {
  /** Sends a command: `(args) => client.sendCommand(args)` (node-redis), `(args) => client.call(...args)` (ioredis). */
  readonly send: RedisSend
  /** Prefix of every key. */
  readonly prefix?: string
  /**
   * How long to wait for a reply, in milliseconds. After a command without a reply, one at a time is tried, and others
   * fail at once, until Redis answers: a client without a connection may queue commands for hours.
   * @default 1000
   */
  readonly timeoutMs?: number
}

/** Sends commands, each with a deadline. None is sent to a Redis that does not answer, except one to try it. */
export interface RedisClient {
  /** Added to every key. */
  readonly prefix: string
  command(name: string, key: string, ...args: string[]): Promise<unknown>
  /** Run a script on one key. */
  run(text: string, key: string, ...args: string[]): Promise<unknown>
}

/** Check the options of a store, and create its client. @param more names of further options, each after a space */
export const redisClient = (store: string, options: RedisOptions, defaultPrefix: string, more = ''): RedisClient => {
  checkNames(store, options, `send prefix timeoutMs${more}`)
  const { send, prefix = defaultPrefix, timeoutMs = 1000 } = options
  checkOption(typeof send === 'function', `${store}: send`, 'a function', send)
  checkOption(typeof prefix === 'string', `${store}: prefix`, 'a string', prefix)
  checkDelay(timeoutMs, `${store}: timeoutMs`, 1)
  const breaker = createCircuitBreaker()
  const sendInTime = (args: string[]): Promise<unknown> =>
    breaker(() => withoutSentData(() => send(args)), {
      timeoutMs,
      timeoutError: () => timedOut(`Redis did not answer ${args[0]} within ${timeoutMs} ms`),
      rejectionError: () => timedOut(`${args[0]} was not sent: Redis does not answer`),
    })
  return {
    prefix,
    command: (name, key, ...args) => sendInTime([name, prefix + key, ...args]),
    run: (text, key, ...args) => sendInTime(['EVAL', text, '1', prefix + key, ...args]),
  }
}

/** Text of a reply, `undefined` if there is none. */
export const replyText = (reply: unknown): string | undefined =>
  reply === null || reply === undefined ? undefined : String(reply)
