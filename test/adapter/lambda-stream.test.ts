import { afterEach, describe, expect, test, vi } from 'vitest'
import { toLambdaStream } from '../../src/adapter/aws-lambda.ts'
import { createApp } from '../../src/app.ts'
import { recorded } from './events.ts'
import { awslambda, invoke } from './lambda-runtime.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const event = (path: string, method = 'GET'): never => {
  const given = recorded('function-url')
  return { ...given, rawPath: path, requestContext: { ...given.requestContext, http: { method } } } as never
}

const cancelled: unknown[] = []
const app = createApp()
  .get('/text', (ctx) => ctx.text('hello', { status: 201, headers: { 'set-cookie': ['a=1', 'b=2'] } }))
  .get('/nothing', () => new Response(null, { status: 204 }))
  .get('/large', () => new Response('x'.repeat(3_000_000)))
  .get('/failing', () => {
    let pulled = 0
    return new Response(
      new ReadableStream({
        pull: (controller) =>
          pulled++ ? controller.error(new Error('secret')) : controller.enqueue(new TextEncoder().encode('begun')),
      }),
    )
  })
  .get('/endless', () => {
    const chunk = new Uint8Array(65_536)
    return new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(chunk),
        cancel: (reason) => void cancelled.push(reason),
      }),
    )
  })
  .get('/throw', () => {
    throw new Error('secret')
  })

const stream = (given: Parameters<typeof toLambdaStream>[0] = app) => {
  vi.stubGlobal('awslambda', awslambda)
  return toLambdaStream(given)
}

describe('OP5: streamed answers of Lambda', () => {
  test('OP5: a response is written as its head and its body', async () => {
    const { head, body, type, error } = await invoke(stream(), event('/text'))
    expect(head).toEqual({ statusCode: 201, headers: expect.any(Object), cookies: ['a=1', 'b=2'] })
    expect({ body: `${body}`, type, error }).toEqual({
      body: 'hello',
      type: 'application/vnd.awslambda.http-integration-response',
      error: undefined,
    })
  })

  test('OP5: a REST API takes cookies as lists', async () => {
    const { head } = await invoke(stream(), { ...recorded('rest-api'), httpMethod: 'GET', path: '/text' } as never)
    expect(head.multiValueHeaders).toEqual({ 'set-cookie': ['a=1', 'b=2'] })
  })

  test.each([
    ['an answer without a body has its head', '/nothing', 204, 0],
    ['a large one comes whole', '/large', 200, 3_000_000],
  ])('OP5: %s', async (_, path, status, length) => {
    const { head, body } = await invoke(stream(), event(path))
    expect({ statusCode: head.statusCode, bodyLength: body.length }).toEqual({ statusCode: status, bodyLength: length })
  })

  test('OP5: the first chunk has gone out before the second is made', async () => {
    let arrived = () => {}
    const first = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const parts = createApp().get('/', (ctx) =>
      ctx.stream(
        (async function* () {
          yield 'first'
          await first
          yield 'second'
        })(),
      ),
    )
    const onData = (received: string) => received.endsWith('first') && arrived()
    expect(`${(await invoke(stream(parts), event('/'), { onData })).body}`).toBe('firstsecond')
  })

  test('OP5: work of waitUntil goes on after the answer has ended, and the invocation waits for it', async () => {
    const order: string[] = []
    const later = createApp().get('/', (ctx) => {
      const ended = new Promise<void>((resolve) => {
        answered = resolve
      })
      ctx.waitUntil(ended.then(() => void order.push('work')))
      return ctx.text('answer')
    })
    let answered = () => {}
    const onEnd = () => {
      order.push('answer')
      answered()
    }
    await invoke(stream(later), event('/'), { onEnd })
    expect(order).toEqual(['answer', 'work'])
  })

  test('OP5: a handler that throws is a 500 that says nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { head, body } = await invoke(stream(), event('/throw'))
    expect({ status: head.statusCode, body: `${body}` }).toEqual({
      status: 500,
      body: '{"error":"Internal Server Error"}',
    })
  })

  test('OP5: a fetch that gives no response is a 500', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { head, body, error } = await invoke(stream((() => ({ status: 200 })) as never), event('/'))
    expect({ status: head.statusCode, body: `${body}`, error }).toEqual({
      status: 500,
      body: '{"error":"Internal Server Error"}',
      error: undefined,
    })
  })

  test('OP5: an event that is not a request of HTTP is a clear error', async () => {
    const { error } = await invoke(stream(), { Records: [] } as never)
    expect(`${error}`).toContain('toLambdaStream: event: expected a request of API Gateway')
  })

  test('OP5: a body that fails is cut off, and what it failed with is logged and not sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { body, error } = await invoke(stream(), event('/failing'))
    expect(`${body}`).not.toContain('secret')
    expect(`${error}`).toBe('Error: The response was cut off: its body failed')
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'secret' }))
  })

  test('OP5: when the receiver has gone, an endless body is cancelled', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await invoke(stream(), event('/endless'), { leaveAfter: 500_000 })
    expect(cancelled).toHaveLength(1)
  })

  test('OP5: outside of Lambda it says so when it is made', () => {
    expect(() => toLambdaStream(app)).toThrow('toLambdaStream() needs the Node.js runtime of AWS Lambda')
  })
})
