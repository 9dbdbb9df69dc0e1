import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { clientAddress } from '../../src/client-address.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { ipRestriction } from '../../src/middleware/ip-restriction.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { readParts } from '../../src/read/parts.ts'
import { json } from '../../src/respond/json.ts'

/** What the server answers to bytes on a socket, until it or we close; a hang is a failure. */
const talk = (port: number, pieces: readonly (string | Uint8Array)[], pauseMs = 0): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end after 5 s; so far: ${answer}`))
    }, 5000)
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    const send = async (): Promise<void> => {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        if (pauseMs) await new Promise((done) => setTimeout(done, pauseMs))
      }
    }
    socket.on('connect', () => void send())
  })

const head = (path: string, ...fields: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    ...fields,
    '',
    '',
  ].join('\r\n')

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

describe('a body on the wire', () => {
  let port: number
  const seen: unknown[] = []
  const app = createApp()
    .post('/parse', bodyParser({ json: { limit: 100 }, inflate: true }), (ctx) => {
      seen.push(ctx.state.body)
      return json(ctx.state.body)
    })
    .post('/validate', validateBody({ safeParse: (data) => ({ success: true, data }) }), (ctx) =>
      json(ctx.state.validated),
    )
    .post('/strict', bodyParser({ strict: true }), () => json('passed'))
    .post('/parts', async (ctx) => {
      const sizes: Record<string, number> = {}
      for await (const part of readParts(ctx.request)) {
        let size = 0
        for await (const piece of part) size += piece.byteLength
        sizes[part.name] = size
      }
      return json(sizes)
    })

  beforeAll(async () => {
    port = (await app.listen(0)).port!
  })
  afterAll(() => app.close())

  test('one of its announced length is read', async () => {
    expect(await talk(port, [head('/parse', 'Content-Length: 7'), '{"a":1}'])).toMatch(
      /^HTTP\/1.1 200 [\s\S]*\{"a":1}$/,
    )
  })

  test.each([
    ['plain', 'identity', '{"a":1}'],
    ['decompressed', 'gzip', gzipSync('{"a":1}')],
  ])('the client of a %s one is known, and that it leaves', async (_, coding, body) => {
    let leave = (): void => {}
    let left: (value: unknown) => void = () => {}
    const leaves = new Promise((resolve) => {
      left = resolve
    })
    const allowed = createApp()
      .use(bodyParser({ inflate: true }), ipRestriction({ allow: ['127.0.0.1'] }))
      .post('/who', (ctx) => json({ body: ctx.state.body, address: clientAddress(ctx) }))
      .post('/wait', (ctx) => {
        ctx.signal.addEventListener('abort', () => left('left'))
        leave()
        return new Promise<never>(() => {})
      })
    const server = await allowed.listen({ port: 0, hostname: '127.0.0.1', graceMs: 100 })
    const fields = (path: string) => head(path, `Content-Encoding: ${coding}`, `Content-Length: ${body.length}`)
    expect(await talk(server.port!, [fields('/who'), body])).toMatch(/\{"body":\{"a":1},"address":"127.0.0.1"}$/)
    const socket = connect(server.port!, '127.0.0.1')
    socket.on('error', () => {})
    leave = () => socket.destroy()
    socket.write(fields('/wait'))
    socket.write(body)
    expect(await Promise.race([leaves, new Promise((stay) => setTimeout(stay, 5000, 'stayed'))])).toBe('left')
    await server.close()
  })

  test('one in chunks is read', async () => {
    const pieces = [head('/parse', 'Transfer-Encoding: chunked'), chunk('{"a"'), chunk(':1}'), '0\r\n\r\n']
    expect(await talk(port, pieces, 5)).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"a":1}$/)
  })

  test('MB4: one that announces too much is refused before it is sent', async () => {
    const answer = await talk(port, [head('/parse', 'Content-Length: 1000000000')])
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*\{"error":"Content Too Large"}$/)
  })

  test('MB4: one in endless chunks is refused as soon as it is too long', async () => {
    const chunks = Array.from({ length: 500 }, () => chunk('x'.repeat(50)))
    const answer = await talk(port, [head('/parse', 'Transfer-Encoding: chunked'), ...chunks], 1)
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*\{"error":"Content Too Large"}/)
  })

  test('MB4: one that is shorter than announced reaches no handler', async () => {
    seen.length = 0
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${head('/parse', 'Content-Length: 50')}{"a":1}`)
    await new Promise((done) => setTimeout(done, 50))
    socket.destroy()
    await new Promise((done) => setTimeout(done, 100))
    expect(seen).toEqual([])
    expect(await talk(port, [head('/parse', 'Content-Length: 2'), '{}'])).toMatch(/^HTTP\/1.1 200 /)
  })

  test('MB4: one that is longer than announced never gets its rest read, as body or as request', async () => {
    seen.length = 0
    const answer = await talk(port, [`${head('/parse', 'Content-Length: 7')}{"a":1}{"b":2}`])
    // Node's parser may refuse the whole, since nothing may follow a request that closes the connection.
    expect(answer).toMatch(/^HTTP\/1.1 (200|400) /)
    expect(answer).not.toContain('"b"')
    expect(JSON.stringify(seen)).not.toContain('b')
  })

  test('MB4: two lengths or a length beside chunks are refused', async () => {
    expect(await talk(port, [head('/parse', 'Content-Length: 2', 'Content-Length: 3'), '{}'])).toMatch(
      /^HTTP\/1.1 400 /,
    )
    const both = head('/parse', 'Content-Length: 2', 'Transfer-Encoding: chunked')
    expect(await talk(port, [both, chunk('{}'), '0\r\n\r\n'])).toMatch(/^HTTP\/1.1 400 /)
  })

  test('MB7: a bomb is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000))
    expect(bomb.length).toBeLessThan(100)
    const answer = await talk(port, [head('/parse', 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`), bomb])
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  test.each([
    ['no body', [], 'passed'],
    ['an empty body', ['Content-Length: 0'], 'passed'],
  ])('MB7: strict lets %s pass', async (_, fields, expected) => {
    const request = ['POST /strict HTTP/1.1', 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n')
    expect(await talk(port, [request])).toContain(expected)
  })

  test('MB7: strict refuses chunks of an unknown type', async () => {
    const request = head('/strict', 'Transfer-Encoding: chunked').replace('application/json', 'image/png')
    expect(await talk(port, [request, chunk('x'), '0\r\n\r\n'])).toMatch(/^HTTP\/1.1 415 /)
  })

  test('MV4: malformed JSON is a 400 for the validator', async () => {
    expect(await talk(port, [head('/validate', 'Content-Length: 1'), '{'])).toMatch(
      /^HTTP\/1.1 400 [\s\S]*\{"error":"Invalid JSON"}$/,
    )
  })

  test('MB9: parts are read while they arrive', async () => {
    const form = new FormData()
    form.append('a', 'x'.repeat(1000))
    form.append('f', new File(['y'.repeat(3_000_000)], 'big.bin'))
    const response = await fetch(`http://127.0.0.1:${port}/parts`, { method: 'POST', body: form })
    expect(await response.json()).toEqual({ a: 1000, f: 3_000_000 })
  })

  test('MB9: a form whose sender disconnects does no harm', async () => {
    for (let index = 0; index < 20; index++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      const fields = head('/parts', 'Content-Length: 100000').replace(
        'application/json',
        'multipart/form-data; boundary=b',
      )
      socket.write(
        `${fields}--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\n${'y'.repeat(1000 * index)}`,
      )
      setTimeout(() => socket.destroy(), index)
    }
    await new Promise((done) => setTimeout(done, 200))
    expect(await talk(port, [head('/parse', 'Content-Length: 2'), '{}'])).toMatch(/^HTTP\/1.1 200 /)
  })
})
