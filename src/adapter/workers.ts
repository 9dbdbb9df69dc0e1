import { report } from '#runtime/core'
import { type AnyApp, type AnyFetch, fetchOf } from '../internal/adapter/fetch-of.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { AnyEnv, Awaitable, Execution } from '../internal/types/context.ts'

/** The arguments of a job after its event. */
export interface Job<Env = AnyEnv> {
  /** The bindings of the worker. */
  readonly env: Env
  /** Keep the worker alive until the promise has settled. */
  waitUntil(promise: Promise<unknown>): void
}

/** The event of a cron trigger. */
export interface CronEvent {
  /** The cron pattern, as in the configuration. */
  readonly cron: string
  /** The scheduled time, in milliseconds since 1970. */
  readonly scheduledTime: number
  /** Do not retry the run if it fails. */
  noRetry(): void
}

/** A message of a queue. */
export interface QueueMessage<Body = unknown> {
  readonly id: string
  readonly timestamp: Date
  readonly body: Body
  /** How often it was delivered, including this time. */
  readonly attempts: number
  /** Acknowledge it. The first call of `ack` or `retry` counts. */
  ack(): void
  /** Have it delivered again, after `delaySeconds`. */
  retry(options?: { delaySeconds?: number }): void
}

/** Options of {@link createWorker}. */
export interface WorkerOptions<Env = AnyEnv> {
  /** Jobs by their cron pattern, written exactly as in the configuration. */
  readonly crons?: Readonly<Record<string, (event: CronEvent, job: Job<Env>) => unknown>>
  /**
   * Consumers by the name of their queue, called for each message; the messages of a batch run at the same time. A
   * message is acknowledged when its consumer finishes, and delivered again if it fails.
   */
  readonly queues?: Readonly<Record<string, (message: QueueMessage<any>, job: Job<Env>) => unknown>> // any: whatever was sent
}

/** The export of a worker. */
export interface Worker {
  readonly fetch: AnyFetch
  readonly scheduled?: (event: CronEvent, env: unknown, execution: Execution) => Promise<void>
  readonly queue?: (batch: Batch, env: unknown, execution: Execution) => Promise<void>
}

interface Batch {
  readonly queue: string
  readonly messages: readonly QueueMessage[]
}

/**
 * The export of a Cloudflare worker with cron triggers and queues in addition to `fetch`.
 *
 * Before a job, the providers of the application are started, as before a request. A cron pattern or a queue without a
 * job is an error, which Cloudflare shows. A failed job of a cron trigger is a failed run.
 *
 * @throws {TypeError} when created, for a bad option and for anything that cannot handle requests.
 * @example
 * export default createWorker(app, { crons: { '0 3 * * *': cleanUp }, queues: { mail: ({ body }) => send(body) } })
 */
export const createWorker = <Env = AnyEnv>(
  app: AnyApp & { ready?(): Awaitable<unknown> },
  options: WorkerOptions<Env> = {},
): Worker => {
  checkNames('createWorker', options, 'crons:object queues:object')
  const { crons, queues } = options
  const fetch = fetchOf(app, 'createWorker')
  const cronOf = crons && createLookUp(crons, 'crons')
  const consumerOf = queues && createLookUp(queues, 'queues')
  const start = async (env: unknown, execution: Execution): Promise<Job<Env>> => {
    await app.ready?.()
    return { env: env as Env, waitUntil: (promise) => execution.waitUntil?.(promise.catch(report)) }
  }
  return {
    fetch,
    ...(cronOf && {
      scheduled: async (event, env, execution) => void (await cronOf(event.cron)(event, await start(env, execution))),
    }),
    ...(consumerOf && {
      queue: async (batch, env, execution) => {
        const consume = consumerOf(batch.queue)
        const job = await start(env, execution)
        await Promise.all(batch.messages.map((message) => consumeMessage(message, (single) => consume(single, job))))
      },
    }),
  }
}

/** The look-up throws for an unknown name. */
const createLookUp = <Job>(jobs: Readonly<Record<string, Job>>, option: string): ((name: string) => Job) => {
  const jobsByKey = new Map(Object.entries(jobs))
  for (const [name, job] of jobsByKey)
    checkOption(typeof job === 'function', `createWorker: ${option}: ${name}`, 'a function', job)
  return (name) => {
    const job = jobsByKey.get(name)
    if (!job) throw new Error(`createWorker: ${option}: no entry for ${JSON.stringify(name)}`)
    return job
  }
}

/** Settles each message at once, so that neither a bad one nor the end of the worker redelivers the others. */
const consumeMessage = async (message: QueueMessage, consume: (message: QueueMessage) => unknown): Promise<void> => {
  const { id, timestamp, body, attempts } = message
  let isSettled = false
  const settleOnce = (settle: () => void): void => {
    if (!isSettled) settle()
    isSettled = true
  }
  const ack = () => settleOnce(() => message.ack())
  const retry: QueueMessage['retry'] = (options) => settleOnce(() => message.retry(options))
  try {
    await consume({ id, timestamp, body, attempts, ack, retry })
    ack()
  } catch (error) {
    report(error)
    retry()
  }
}
