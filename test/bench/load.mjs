import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { LISTENERS } from './rows.mjs'

const execute = promisify(execFile)

/** Requests that `wrk` made of a server in a time. */
const requests = async (server, row, seconds) => {
  const { path = '/', connections = 64 } = row
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`]
  if (row.file) args.push('-s', row.file)
  if (server.field) args.push('-H', server.field)
  const { stdout } = await execute('wrk', [...args, `http://127.0.0.1:${server.port}${path}`])
  if (/Non-2xx/.test(stdout)) throw new Error(`${server.contender}: ${stdout}`)
  return Number(/(\d+) requests in/.exec(stdout)[1])
}

/** Events that a server delivered in a time: each is sent to all listeners, and comes to all before the next. */
const deliveries = async (server, seconds) => {
  const { port } = server
  let received = 0
  let heard = () => {}
  const sockets = await Promise.all(
    Array.from(
      { length: LISTENERS },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
            resolve(socket)
          })
          socket.once('error', reject)
          socket.setEncoding('latin1')
          socket.on('data', (text) => {
            const events = text.split('data: ').length - 1
            received += events
            if (events) heard()
          })
        }),
    ),
  )
  // Some runtimes send the head of the answer with the first event only, so nothing says that they listen
  await sleep(500)
  const end = performance.now() + seconds * 1000
  let sent = 0
  while (performance.now() < end) {
    sent++
    const all = new Promise((resolve) => {
      heard = () => received >= sent * LISTENERS && resolve()
    })
    await (await fetch(`http://127.0.0.1:${port}/publish`)).arrayBuffer()
    const late = sleep(5_000, 'late', { ref: false })
    if ((await Promise.race([all, late])) === 'late') throw new Error(`${server.contender}: events are missing`)
  }
  for (const socket of sockets) socket.destroy()
  return received
}

/** Load a server with a row for a time. @returns how much it has answered */
export const load = (name, row, server, seconds) =>
  name === 'sse' ? deliveries(server, seconds) : requests(server, row, seconds)
