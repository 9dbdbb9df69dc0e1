import { Agent, request } from 'node:http'

/** Connections are kept, as those of real clients; a test that needs its own names `agent: false`. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export const closeClient = () => agent.destroy()

/**
 * One request over a socket, seen as it is on the wire: no redirects, no decoding, every header.
 *
 * @param line `'GET /path'`, or an object with `line`, `headers`, `body` (string, bytes or pieces), `agent`
 * @returns status, headers, the lines of Set-Cookie, and the body as bytes, text and JSON
 */
export const ask = (origin, line) => {
  const options = typeof line === 'string' ? { line } : line
  const [method, path] = options.line.split(/ (.*)/)
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => sent.destroy(new Error(`no answer to ${options.line} within 10 s`)), 10_000)
    const sent = request(
      { hostname, port, method, path, headers: options.headers, agent: options.agent ?? agent, ...options.over },
      (got) => {
        const chunks = []
        const at = []
        got.on('data', (chunk) => {
          chunks.push(chunk)
          at.push(performance.now())
        })
        got.on('error', reject)
        got.on('end', () => {
          clearTimeout(timer)
          const bytes = Buffer.concat(chunks)
          resolve({
            status: got.statusCode,
            headers: got.headers,
            cookies: got.headers['set-cookie'] ?? [],
            bytes,
            at,
            text: bytes.toString(),
            json: () => JSON.parse(bytes.toString()),
          })
        })
      },
    )
    sent.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    for (const piece of [options.body ?? []].flat()) sent.write(piece)
    sent.end()
  })
}

/** Start a request, wait for its first bytes, and cut the connection. */
export const askAndLeave = (origin, path) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => sent.destroy(new Error(`no first byte of ${path} within 10 s`)), 10_000)
    const sent = request(`${origin}${path}`, { agent: false }, (got) => {
      got.on('error', () => {})
      got.once('data', () => {
        clearTimeout(timer)
        sent.destroy()
        resolve(got.statusCode)
      })
    })
    sent.on('error', reject)
    sent.end()
  })

/** Ask until an answer satisfies, at most for some seconds. */
export const until = async (probe, what, ms = 5000) => {
  const end = performance.now() + ms
  for (;;) {
    if (await probe()) return
    if (performance.now() > end) throw new Error(`${what}: not within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
