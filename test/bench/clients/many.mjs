/** Many clients in one process, forked by `clients.mjs`: bare sockets that count what comes. */
import { connect } from 'node:net'

const buffer = Buffer.alloc(65_536)
let bytes = 0
/** Milliseconds from a publish to its arrival, at one client of ten. */
let delays = []
let lost = 0

const requestOf = (kind) =>
  /ocket/.test(kind)
    ? 'GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
    : 'GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Resolves when the first bytes have come. */
const open = ({ kind, port, localAddress, mayLose }, watched) =>
  new Promise((resolve, reject) => {
    const callback = (length) => {
      bytes += length
      if (watched) {
        const now = performance.timeOrigin + performance.now()
        for (const [, at] of buffer.latin1Slice(0, length).matchAll(/"at":([\d.]+)/g)) delays.push(now - at)
      }
      resolve()
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', localAddress, onread: { buffer, callback } })
    socket.once('connect', () => socket.write(requestOf(kind)))
    socket.on('error', reject)
    socket.on('close', () => {
      lost++
      if (mayLose) return
      console.error(`a client of ${kind} was cut off`)
      process.exit(1)
    })
  })

const answers = {
  async open({ count, ...where }) {
    for (let n = 0; n < count; n += 50)
      await Promise.all(Array.from({ length: Math.min(50, count - n) }, (_, at) => open(where, at % 10 === 0)))
    return true
  },
  bytes: () => bytes,
  lost: () => lost,
  delays() {
    const taken = delays
    delays = []
    return taken
  },
}
process.on('message', async ({ ask, ...given }) => process.send(await answers[ask](given)))
process.on('disconnect', () => process.exit())
process.send({})
