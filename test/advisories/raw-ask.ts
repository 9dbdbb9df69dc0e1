import { connect } from 'node:net'

/** What came back over the socket: the head as text, the body without its chunks. */
export interface RawAnswer {
  readonly head: string
  readonly body: Buffer
}

/** Send a request by hand and read until the server closes; whoever keeps the connection open for two seconds fails. */
export const rawAsk = (
  port: number,
  method: string,
  target: string,
  fields: readonly string[] = [],
  body = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      socket.write([`${method} ${target} HTTP/1.1`, `Host: localhost:${port}`, ...fields, '', body].join('\r\n'))
    })
    const late = setTimeout(() => socket.destroy(new Error(`${method} ${target}: not closed in time`)), 2_000)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(late)
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const head = all.subarray(0, end).toString('latin1')
      const rest = all.subarray(end + 4)
      resolve({ head, body: /transfer-encoding: chunked/i.test(head) ? unchunk(rest) : rest })
    })
  })

const unchunk = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    const size = line < 0 ? 0 : Number.parseInt(bytes.subarray(at, line).toString(), 16)
    if (!size) return Buffer.concat(parts)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
