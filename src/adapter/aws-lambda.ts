import { report } from '#runtime/core'
import { toResponse } from '../errors.ts'
import { type AnyApp, type AnyFetch, fetchOf } from '../internal/adapter/fetch-of.ts'
import { type LambdaEvent, type LambdaShape, peerOf, shapeOf, toRequest } from '../internal/adapter/lambda-request.ts'
import { type LambdaHead, type LambdaResult, toHead, toResult } from '../internal/adapter/lambda-result.ts'
import { createBackground } from '../internal/promise/background.ts'

export type { LambdaEvent } from '../internal/adapter/lambda-request.ts'
export type { LambdaHead, LambdaResult } from '../internal/adapter/lambda-result.ts'

/** Lambda's data about an invocation. */
export interface LambdaContext {
  readonly awsRequestId?: string
  readonly functionName?: string
  /** Milliseconds until Lambda ends the invocation. */
  getRemainingTimeInMillis?(): number
}

/** `ctx.env` of an application on Lambda. */
export interface LambdaEnv {
  /** The original event, including the results of authorizers. */
  readonly event: LambdaEvent
  readonly context: LambdaContext | undefined
}

/** A function that Lambda calls with a request, and waits for. */
export type LambdaHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult>

/** A function that Lambda calls with a request and the stream for the response. */
export type LambdaStreamHandler = (event: LambdaEvent, stream: LambdaStream, context?: LambdaContext) => Promise<void>

/** The response stream of Lambda's runtime, a Node writable. */
export interface LambdaStream {
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean
  end(): unknown
  once(event: 'close', listener: () => void): unknown
}

interface LambdaGlobal {
  readonly awslambda?: {
    streamifyResponse(handler: LambdaStreamHandler): LambdaStreamHandler
    readonly HttpResponseStream: { from(stream: LambdaStream, head: LambdaHead): LambdaStream }
  }
}

/** The longest invocation that Lambda allows, in milliseconds. */
const MAX_MS = 900_000

/** The time for returning the response, in milliseconds. */
const RESERVED_MS = 500

/**
 * A handler for AWS Lambda behind API Gateway (REST APIs, HTTP APIs in formats 1.0 and 2.0), an Application Load
 * Balancer, or a function URL. It returns the whole response at once; {@link toLambdaStream} streams it.
 *
 * `ctx.env` is `{ event, context }`. The client's address is that of `requestContext`. The response is returned after
 * the work of `waitUntil`, because Lambda freezes the process then. Valid UTF-8 is returned as text, other bodies as
 * base64. If a plain `fetch` throws, the response is a 500.
 *
 * @throws {TypeError} when created, for anything that cannot handle requests; when called, for another service's event.
 * @example
 * export const handler = toLambdaHandler(app)
 */
export const toLambdaHandler = (app: AnyApp): LambdaHandler => {
  const fetch = fetchOf(app, 'toLambdaHandler')
  return async function handler(event, context) {
    const { result, finish } = await invoke(fetch, 'toLambdaHandler', event, context, toResult)
    await finish()
    return result
  }
}

/**
 * {@link toLambdaHandler} with a streamed response: for function URLs with the invoke mode `RESPONSE_STREAM`, and REST
 * APIs with the transfer mode `STREAM`. Work of `waitUntil` continues after the end of the response.
 *
 * A body that fails after its first byte is cut off, and the invocation counts as failed.
 *
 * @throws {TypeError} when created, for anything that cannot handle requests. @throws {Error} outside Lambda's Node.js
 * runtime.
 * @example
 * export const handler = toLambdaStream(app)
 */
export const toLambdaStream = (app: AnyApp): LambdaStreamHandler => {
  const fetch = fetchOf(app, 'toLambdaStream')
  const { awslambda } = globalThis as LambdaGlobal
  if (!awslambda)
    throw new Error('toLambdaStream() needs the Node.js runtime of AWS Lambda: elsewhere, use app.listen()')
  return awslambda.streamifyResponse(async function handler(event, stream, context) {
    const withHead = (response: Response, shape: LambdaShape) => ({ response, head: toHead(response, shape) })
    const { result, finish } = await invoke(fetch, 'toLambdaStream', event, context, withHead)
    const { response, head } = result
    const sink = awslambda.HttpResponseStream.from(stream, head)
    // The headers are sent with the first write, and a body may be empty
    sink.write('')
    try {
      if (response.body) await writeBody(response.body, sink)
      sink.end()
    } catch (error) {
      report(error)
      throw new Error('The response was cut off: its body failed')
    } finally {
      await finish()
    }
  })
}

/** Respond to an event. `finish` waits for the work of `waitUntil`, as long as Lambda leaves time for it. */
const invoke = async <T>(
  fetch: AnyFetch,
  feature: string,
  event: LambdaEvent,
  context: LambdaContext | undefined,
  convert: (response: Response, shape: LambdaShape) => T | Promise<T>,
) => {
  const shape = shapeOf(event, feature)
  const env: LambdaEnv = { event, context }
  const { waitUntil, settled } = createBackground()
  const respond = async () => fetch(toRequest(event, shape), env, { waitUntil, peer: peerOf(event) })
  const result = await respond()
    .then((response) => convert(response, shape))
    .catch((error) => convert(toResponse(error), shape))
  const finish = () => settled((context?.getRemainingTimeInMillis?.() ?? MAX_MS) - RESERVED_MS)
  return { result, finish }
}

/** Write each chunk after the previous one was sent. If the reader is gone, the body is cancelled. */
const writeBody = async (body: ReadableStream<Uint8Array>, sink: LambdaStream): Promise<void> => {
  const reader = body.getReader()
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(() => {})
  let resolveWrite = (): void => {}
  sink.once('close', () => {
    cancel()
    // A write whose socket is gone never calls back; a cancelled body has no further chunks
    resolveWrite()
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      await new Promise<void>((resolve, reject) => {
        resolveWrite = resolve
        sink.write(value, (error) => (error ? reject(error) : resolve()))
      })
    }
  } catch (error) {
    cancel(error)
    throw error
  }
}
