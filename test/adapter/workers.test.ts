import { describe, expect, test, vi } from 'vitest'
import { createWorker, type QueueMessage } from '../../src/adapter/workers.ts'
import { createApp } from '../../src/app.ts'

const execution = () => {
  const kept: Promise<unknown>[] = []
  return { kept, waitUntil: (promise: Promise<unknown>) => void kept.push(promise) }
}
const event = (cron: string) => ({ cron, scheduledTime: 0, noRetry: () => {} })
const message = (body: unknown, calls: string[]): QueueMessage => ({
  id: `${body}`,
  timestamp: new Date(0),
  body,
  attempts: 1,
  ack: () => void calls.push(`ack ${body}`),
  retry: () => void calls.push(`retry ${body}`),
})

// What workerd does with it: test/stores/workerd/run.mjs
describe('OP5: a worker with jobs', () => {
  test('OP5: it exports what it has jobs for, and nothing else', () => {
    const app = createApp()
    expect(Object.keys(createWorker(app))).toEqual(['fetch'])
    expect(Object.keys(createWorker(app, { crons: {}, queues: {} }))).toEqual(['fetch', 'scheduled', 'queue'])
  })

  test('OP5: a job runs when the providers have started, with bindings and waitUntil', async () => {
    const order: string[] = []
    const app = createApp()
    app.register({ boot: async () => void order.push('boot') })
    const worker = createWorker<{ NAME: string }>(app, {
      crons: {
        '0 3 * * *': ({ cron }, { env, waitUntil }) => {
          order.push(`${cron} ${env.NAME}`)
          waitUntil(Promise.resolve())
        },
      },
    })
    const { kept, ...context } = execution()
    await worker.scheduled?.(event('0 3 * * *'), { NAME: 'n' }, context)
    expect({ order, keptLength: kept.length }).toEqual({ order: ['boot', '0 3 * * * n'], keptLength: 1 })
  })

  test('OP5: a failed job is a failed run', async () => {
    const crons = { '* * * * *': () => Promise.reject(new Error('failed')) }
    await expect(createWorker(createApp(), { crons }).scheduled?.(event('* * * * *'), {}, execution())).rejects.toThrow(
      'failed',
    )
  })

  test.each(['0 4 * * *', 'constructor', '__proto__'])('OP5: there is no entry for %s', async (name) => {
    const worker = createWorker(createApp(), { crons: { '0 3 * * *': () => {} }, queues: { mail: () => {} } })
    const wanted = `no entry for "${name}"`
    await expect(worker.scheduled?.(event(name), {}, execution())).rejects.toThrow(`createWorker: crons: ${wanted}`)
    await expect(worker.queue?.({ queue: name, messages: [] }, {}, execution())).rejects.toThrow(
      `createWorker: queues: ${wanted}`,
    )
  })

  test('OP5: one bad message does not retry the others', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const calls: string[] = []
    const worker = createWorker(createApp(), {
      queues: {
        mail: ({ body }) => {
          if (body === 'bad') throw new Error('bad message')
        },
      },
    })
    const messages = ['good', 'bad', 'fine'].map((body) => message(body, calls))
    await worker.queue?.({ queue: 'mail', messages }, {}, execution())
    expect(calls.sort()).toEqual(['ack fine', 'ack good', 'retry bad'])
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'bad message' }))
    log.mockRestore()
  })

  test.each([
    [{ cron: {} }, 'createWorker: cron: unknown option, did you mean "crons"?'],
    [{ crons: 'daily' }, 'createWorker: crons: expected an object, got "daily"'],
    [{ crons: { '* * * * *': 'job' } }, 'createWorker: crons: * * * * *: expected a function, got "job"'],
    [{ queues: { mail: {} } }, 'createWorker: queues: mail: expected a function, got {}'],
  ])('OP5: %j is refused when it is made', (options, error) => {
    expect(() => createWorker(createApp(), options as never)).toThrow(error)
  })

  test('OP5: a plan is an application too', async () => {
    const { fetch } = createWorker(() => new Response('plain'))
    expect(await (await fetch(new Request('https://h.example/'))).text()).toBe('plain')
  })
})
