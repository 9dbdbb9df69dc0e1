import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** Longest that a hostile client keeps a connection before it goes by itself, in milliseconds. */
const LONGEST_MS = 15_000

const cutters = new Set()

/** Cut every connection that hostile clients hold. */
export const cutAll = () => {
  for (const cut of cutters) cut()
}

/** Have a connection cut by `cutAll` too. @returns a function that forgets it */
export const register = (cut) => {
  cutters.add(cut)
  return () => cutters.delete(cut)
}

/**
 * A connection of a client without manners. `half` keeps its own side open when the server ends its side.
 *
 * `text()` is what has come, `over` resolves when the connection is gone, and `cut()` goes without a word.
 */
export const open = (port, { secure = false, half = false, paused = false, protocol = 'http/1.1' } = {}) => {
  const plain = connect({ port, host: '127.0.0.1', allowHalfOpen: half })
  plain.on('error', () => {})
  const socket = secure ? connectTls({ socket: plain, rejectUnauthorized: false, ALPNProtocols: [protocol] }) : plain
  socket.on('error', () => {})
  let received = ''
  let waiting = () => {}
  if (paused) socket.pause()
  else
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(-300_000)
      waiting()
    })
  let gone = false
  const over = new Promise((resolve) => {
    socket.once('close', () => {
      gone = true
      waiting()
      resolve()
    })
  })
  const timer = setTimeout(() => socket.destroy(), LONGEST_MS)
  const cut = () => {
    plain.resetAndDestroy()
    socket.destroy()
  }
  const forget = register(cut)
  over.then(() => {
    clearTimeout(timer)
    forget()
  })
  return {
    over,
    get gone() {
      return gone
    },
    text: () => received,
    send: (bytes) => !socket.destroyed && socket.write(bytes),
    end: () => socket.end(),
    cut,
    /** Wait until what has come passes a test, or the connection is gone. */
    until: async (test) => {
      while (!gone && !test(received))
        await new Promise((resolve) => {
          waiting = resolve
        })
      return received
    },
    /** Wait, but not for a connection that is gone. */
    rest: (ms) => Promise.race([sleep(ms, undefined, { ref: false }), over]),
  }
}
