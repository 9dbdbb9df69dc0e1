import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a function has sent to Lambda for one invocation. */
export interface Sent {
  /** The last part of the path: `response` or `error`. */
  readonly kind: string
  readonly headers: IncomingMessage['headers']
  readonly trailers: IncomingMessage['trailers']
  readonly body: Buffer
}

/** Lambda's runtime API, version 2018-06-01, as far as a function uses it: one invocation at a time. */
export const createRuntimeApi = async () => {
  const events: string[] = []
  const waiting: ServerResponse[] = []
  const asked = new Map<string, (sent: Sent) => void>()
  let last = 0

  const hand = () => {
    while (events.length && waiting.length) {
      const outgoing = waiting.shift()!
      outgoing.setHeader('lambda-runtime-aws-request-id', `${last}`)
      outgoing.setHeader('lambda-runtime-deadline-ms', `${Date.now() + 10_000}`)
      outgoing.setHeader('lambda-runtime-invoked-function-arn', 'arn:aws:lambda:eu-west-1:123456789012:function:test')
      outgoing.setHeader('lambda-runtime-trace-id', 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700')
      outgoing.end(events.shift())
    }
  }
  const server = createServer(async (incoming, outgoing) => {
    const [id = '', kind = ''] = incoming.url!.split('/').slice(-2)
    if (kind === 'next') {
      waiting.push(outgoing)
      return hand()
    }
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    outgoing.writeHead(202).end()
    const { headers, trailers } = incoming
    asked.get(id)?.({ kind, headers, trailers, body: Buffer.concat(parts) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Invoke the function, and give what it has sent back. */
    invoke: (event: unknown): Promise<Sent> =>
      new Promise((resolve) => {
        last++
        asked.set(`${last}`, resolve)
        events.push(JSON.stringify(event))
        hand()
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
