import { need } from './need.ts'

/**
 * Sends one command and resolves to its reply: `(args) => client.sendCommand(args)` for node-redis, `(args) =>
 * client.call(...args)` for ioredis, and as easily for any other client.
 */
export type RedisSend = (args: string[]) => Promise<unknown>

/** What the Redis stores share. */
export interface RedisOptions {
  /**
   * Sends one command: `(args) => client.sendCommand(args)` (node-redis) or `(args) => client.call(...args)` (ioredis).
   */
  readonly send: RedisSend
  /** Stands before all keys. */
  readonly prefix?: string
  /**
   * How long a reply is waited for, in milliseconds; clients keep commands for hours while there is no connection.
   * @default 1000
   */
  readonly timeoutMs?: number
}

/** Commands and scripts with a deadline. */
interface RedisClient {
  command(...args: string[]): Promise<unknown>
  /** Run a script on one key: by its digest, and by its text where Redis does not know it yet or any more. */
  run(text: string, key: string, ...args: string[]): Promise<unknown>
}

/** A script with its digest, by which Redis knows it after the first time. */
interface Script {
  readonly text: string
  sha: string | undefined
}

/** Commands and scripts, each with a deadline. */
interface RedisClient {
  command(...args: string[]): Promise<unknown>
  run(text: string, key: string, ...args: string[]): Promise<unknown>
}

/** @throws {TypeError} for options that are none. */
export const redisClient = ({ send, timeoutMs = 1000 }: RedisOptions): RedisClient => {
  need(typeof send === 'function', 'send', send, 'a function')
  need(timeoutMs > 0, 'timeoutMs', timeoutMs, 'a number of milliseconds')
  const scripts = new Map<string, Script>()

  const command = (...args: string[]): Promise<unknown> => within(timeoutMs, args[0]!, () => send(args))

  const run = async (text: string, key: string, ...args: string[]): Promise<unknown> => {
    const script = scripts.get(text) ?? { text, sha: undefined }
    scripts.set(text, script)
    script.sha ??= await sha1(text)
    try {
      return await command('EVALSHA', script.sha, '1', key, ...args)
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error
      return command('EVAL', text, '1', key, ...args)
    }
  }
  return { command, run }
}

const within = async <T>(timeoutMs: number, name: string, work: () => Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer ${name} within ${timeoutMs} ms`)), timeoutMs)
  })
  const reply = work()
  // what comes after the deadline is of interest to nobody
  reply.catch(() => {})
  try {
    return await Promise.race([reply, deadline])
  } finally {
    clearTimeout(timer)
  }
}

const sha1 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
