import { createServer, request as requestOver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LambdaHead, LambdaStream, LambdaStreamHandler } from '../../src/adapter/aws-lambda.ts'

/** What Lambda's service has received of a streamed answer. */
export interface Streamed {
  readonly head: LambdaHead
  readonly body: Buffer
  readonly type: string | undefined
  /** What the handler has rejected with. */
  readonly error: unknown
}

/** The stream that Lambda's runtime gives to a handler: a request to its service, whose first write sends the head. */
type Outgoing = LambdaStream & { setHeader(name: string, value: string): void }

/**
 * The part of Lambda's Node.js runtime that streams, over a socket: `streamifyResponse`, and `HttpResponseStream.from`,
 * which puts the head in front of the first write, with eight zero bytes between. See `ResponseStream.js` and
 * `HttpResponseStream.js` of https://github.com/aws/aws-lambda-nodejs-runtime-interface-client.
 */
export const awslambda = {
  streamifyResponse: (handler: LambdaStreamHandler): LambdaStreamHandler => handler,
  HttpResponseStream: {
    from: (stream: LambdaStream, head: LambdaHead): LambdaStream => {
      const outgoing = stream as Outgoing
      outgoing.setHeader('content-type', 'application/vnd.awslambda.http-integration-response')
      const write = outgoing.write.bind(outgoing)
      let first = true
      outgoing.write = (chunk, done) => {
        if (first) {
          first = false
          write(JSON.stringify(head))
          write(new Uint8Array(8))
        }
        return write(chunk, done)
      }
      return outgoing
    },
  },
}

/** Invoke a handler as the runtime does, and give what the service has received. */
export const invoke = async (
  handler: LambdaStreamHandler,
  event: never,
  { leaveAfter = Number.POSITIVE_INFINITY, onData = (_: string): unknown => undefined, onEnd = () => {} } = {},
): Promise<Streamed> => {
  const received: Buffer[] = []
  let type: string | undefined
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const server = createServer((incoming, outgoing) => {
    type = incoming.headers['content-type']
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      received.push(chunk)
      size += chunk.length
      onData(`${chunk}`)
      if (size > leaveAfter) incoming.socket.destroy()
    })
    incoming.on('end', () => {
      onEnd()
      outgoing.end()
    })
    incoming.on('close', ended)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stream = requestOver({ port: (server.address() as AddressInfo).port, method: 'POST' })
  stream.on('error', () => {})
  stream.on('response', (answer) => answer.resume())
  let error: unknown
  try {
    await handler(event, stream as unknown as LambdaStream, { getRemainingTimeInMillis: () => 5000 })
    await end
  } catch (thrown) {
    error = thrown
    stream.destroy()
  }
  await sleep(1)
  server.close()
  server.closeAllConnections()
  const whole = Buffer.concat(received)
  const zeros = whole.indexOf(Buffer.alloc(8))
  const head = zeros < 0 ? {} : JSON.parse(whole.subarray(0, zeros).toString())
  return { head, body: whole.subarray(zeros + 8), type, error }
}
