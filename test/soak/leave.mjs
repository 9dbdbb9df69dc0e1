import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './ask.mjs'
import { open } from './wire.mjs'

const HEAD = 'Host: soak\r\n\r\n'
/** What clients have sent that then hold their connection for ever. */
const HELD = [
  '',
  'GET /text HT',
  `CONNECT a:1 HTTP/1.1\r\n${HEAD}`,
  `GET /events HTTP/1.1\r\n${HEAD}`,
  `GET /blocks/100000 HTTP/1.1\r\n${HEAD}`,
  `POST /raw HTTP/1.1\r\nContent-Length: 10\r\n${HEAD}ab`,
]

/** Clients that hold everything open, until `release` is called. */
export const holdAll = (ports) => {
  const wires = ports.flatMap((port, index) =>
    HELD.flatMap((bytes) =>
      Array.from({ length: 3 }, () => {
        const wire = open(port, { secure: index > 0, half: true, paused: /blocks|events/.test(bytes) })
        if (bytes) wire.send(bytes)
        return wire
      }),
    ),
  )
  // TLS without a handshake
  wires.push(open(ports[1]), open(ports[2]))
  const session = connect(`https://127.0.0.1:${ports[2]}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  session.request({ ':path': '/events' }).on('error', () => {})
  session.request({ ':path': '/raw', ':method': 'POST' }).on('error', () => {})
  return () => {
    session.destroy()
    for (const wire of wires) wire.cut()
  }
}

/** A kept connection may be closed between two requests when its client was silent so long, in milliseconds. */
const SILENT_MS = 150

/** Asks again and again over one connection, until an answer says that it is the last. @returns the lost answers */
export const askUntilClosed = async (ports, kind, heard) => {
  const client = createClient(ports, kind)
  for (;;) {
    const since = performance.now()
    const answer = await client.ask('GET', `/users/${heard.count}?q=1`).catch((error) => error)
    if (answer instanceof Error) {
      client.close()
      return performance.now() - since < 20 && heard.late > SILENT_MS ? [] : [answer.message]
    }
    heard.count++
    if (answer.headers.connection === 'close') break
    const before = performance.now()
    await sleep(1)
    heard.late = Math.max(heard.late, performance.now() - before)
  }
  client.close()
  return []
}
