import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientAddress } from '../../src/client-address.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { eventually, kinds, listen, open, openTls, pause, request, within } from '../node/wire.ts'

const show = (address: string | undefined): string => JSON.stringify(address ?? 'unknown')

describe.each(kinds)('F8: on %s', (_, options, openTo) => {
  test('of many clients that send a POST and reset at once, none is served without its address', async () => {
    const seen: (string | undefined)[] = []
    await using handle = await listen(
      {
        '/': (ctx) => {
          seen.push(clientAddress(ctx))
          return text('done')
        },
      },
      options,
    )
    const body = request('/', { method: 'POST', headers: ['Content-Length: 2'], body: 'ab' })
    for (let count = 0; count < runs(300, 3); count += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const wire = await openTo(handle.port!)
          wire.write(body)
          wire.reset()
        }),
      )
    }
    // a client that stays, so that there is something to wait for
    const last = await openTo(handle.port!)
    last.write(request('/'))
    await last.closed()
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((address) => address !== '127.0.0.1')).toEqual([])
  })

  test('a handler that asks for the address after the client has gone gets it', async () => {
    let late: string | undefined
    let arrived = false
    await using handle = await listen(
      {
        '/': async (ctx) => {
          arrived = true
          const gone = new Promise((resolve) => ctx.request.signal.addEventListener('abort', resolve))
          await gone
          await pause(20)
          late = show(clientAddress(ctx))
          return text('done')
        },
      },
      options,
    )
    const wire = await openTo(handle.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => arrived, 'the request')
    wire.reset()
    await eventually(() => late !== undefined, 'the address')
    expect(late).toBe('"127.0.0.1"')
  })
})

test.each(['stream', 'session'] as const)('F8: on HTTP/2 a %s that has closed leaves the address', async (what) => {
  let late: string | undefined
  let arrived = false
  await using handle = await listen(
    {
      '/': async (ctx) => {
        arrived = true
        await new Promise((resolve) => ctx.request.signal.addEventListener('abort', resolve))
        await pause(20)
        late = show(clientAddress(ctx))
        return text('done')
      },
    },
    kinds[2]![1],
  )
  const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  const stream = session.request({ ':path': '/' }).on('error', () => {})
  await eventually(() => arrived, 'the request')
  if (what === 'stream') stream.close(8)
  else session.destroy()
  await eventually(() => late !== undefined, 'the address')
  session.destroy()
  expect(late).toBe('"127.0.0.1"')
})

test('F8: a connection that was reset before it was accepted never reaches the application', async () => {
  let served = 0
  await using handle = await listen({ '/': () => text(String(++served)) })
  const { port } = handle
  await Promise.all(
    Array.from(
      { length: 100 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port!, '127.0.0.1', () => {
            socket.write(request('/'), () => socket.resetAndDestroy())
          })
          socket.on('error', () => {}).on('close', () => resolve())
        }),
    ),
  )
  const wire = await open(port!)
  wire.write(request('/'))
  expect(await within(15_000, wire.closed(), 'an answer')).toContain('200 OK')
})

test('F8: on a unix socket requests are served, and their address is the empty text, not unknown', async () => {
  const path = join(tmpdir(), `sluice-f8-${process.pid}.sock`)
  await using _ = await listen({ '/': (ctx) => text(show(clientAddress(ctx))) }, { path, port: undefined } as never)
  const answer = await within(
    15_000,
    new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(path, () => socket.write(request('/')))
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', reject).on('close', () => resolve(received))
    }),
    'an answer',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n""$/)
})

test('F8: the raw connection of TLS is closed when its client resets during the handshake', async () => {
  await using handle = await listen({ '/': () => text('ok') }, kinds[1]![1])
  for (let count = 0; count < 50; count++) {
    const wire = await open(handle.port!)
    wire.write('\x16\x03\x01\x02\x00')
    wire.reset()
  }
  const good = await openTls(handle.port!)
  good.write(request('/'))
  expect(await good.closed()).toContain('200 OK')
})
