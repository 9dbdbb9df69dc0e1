import { connect as connectHttp2 } from 'node:http2'
import { describe, expect, test } from 'vitest'
import { json } from '../../src/respond/json.ts'
import { kinds, listen, parse, statuses, within } from '../node/wire.ts'

const routes = {
  '/': (ctx: any) =>
    json({
      authorization: ctx.header('authorization'),
      forwarded: ctx.request.headers.get('x-forwarded-for'),
      count: [...ctx.request.headers].length,
    }),
}

describe.each(kinds)('F9: on %s over HTTP/1.1', (_, options, openTo) => {
  test.each([10, 999, 1_000, 1_001, 1_500, 2_000, 3_000])('%d fields, the last ones are seen', async (count) => {
    await using handle = await listen(routes, options)
    const wire = await openTo(handle.port!)
    const fields = Array.from({ length: count }, (_, index) => `${index.toString(36)}:\r\n`).join('')
    wire.write(
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}X-Forwarded-For: 192.0.2.1\r\nAuthorization: Bearer x\r\n\r\n`,
    )
    const { status, body } = parse(await wire.closed())
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual({ authorization: 'Bearer x', forwarded: '192.0.2.1', count: count + 4 })
  })

  test('fields of more than 16 kB are refused with 431, however many they are', async () => {
    await using handle = await listen(routes, options)
    for (const fields of ['a:\r\n'.repeat(20_000), 'a: b\r\n'.repeat(9_000), `a: ${'x'.repeat(17_000)}\r\n`]) {
      const wire = await openTo(handle.port!)
      wire.write(`GET / HTTP/1.1\r\nHost: a\r\n${fields}Authorization: x\r\n\r\n`)
      // Over TLS the client may lose the answer, since the server closes while more is coming
      expect(statuses(await wire.closed()).filter((status) => status !== 431)).toEqual([])
    }
  })
})

describe('F9: over HTTP/2', () => {
  const ask = async (port: number, count: number, value = ''): Promise<unknown> => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      maxSendHeaderBlockLength: 1e6,
    } as never)
    session.on('error', () => {})
    const fields: Record<string, string> = { ':path': '/' }
    for (let index = 0; index < count; index++) fields[`x${index.toString(36)}`] = value
    fields['x-forwarded-for'] = '192.0.2.1'
    fields.authorization = 'Bearer x'
    const stream = session.request(fields).setEncoding('utf8')
    let body = ''
    stream.on('data', (chunk: string) => {
      body += chunk
    })
    stream.on('error', () => {})
    await within(15_000, new Promise((resolve) => stream.on('close', resolve)), 'the end of the stream')
    session.destroy()
    return stream.rstCode ? `reset ${stream.rstCode}` : JSON.parse(body)
  }

  test.each([10, 100, 127, 128, 129, 500, 990])('%d fields, the last ones are seen', async (count) => {
    await using handle = await listen(routes, kinds[2]![1])
    expect(await ask(handle.port!, count)).toEqual({
      authorization: 'Bearer x',
      forwarded: '192.0.2.1',
      count: count + 2,
    })
  })

  test.each([
    ['in one field', 1],
    ['in many', 15],
  ])('NA2: fields of more than 16 kB %s are refused with 431, as over HTTP/1.1', async (_, count) => {
    await using handle = await listen(routes, kinds[2]![1])
    const statusOf = async (size: number): Promise<number | undefined> => {
      const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
      const fields: Record<string, string> = { ':path': '/', ':method': 'GET', ':scheme': 'https', ':authority': 'a' }
      for (let index = 0; index < count; index++) fields[`x${index.toString(36)}`] = ''
      const before = Object.entries(fields).flat().join('').length
      fields.x0 = 'y'.repeat(size - before)
      const stream = session.request(fields)
      let status: number | undefined
      stream.on('response', (head) => {
        status = head[':status']
      })
      stream.resume()
      await within(15_000, new Promise((resolve) => stream.on('close', resolve)), 'the end of the stream')
      session.destroy()
      return status
    }
    expect({ most: await statusOf(16_384), more: await statusOf(16_385) }).toEqual({ most: 200, more: 431 })
    expect(await ask(handle.port!, 1), 'the server lives').toMatchObject({ count: 3 })
  })

  test.each([
    ['more than 1,000 fields', 1_001, ''],
    ['more than 5,000 fields', 5_000, 'x'],
  ])('%s: the stream is reset, and no part of it is served', async (_, count, value) => {
    await using handle = await listen(routes, kinds[2]![1])
    expect(String(await ask(handle.port!, count, value))).toMatch(/^reset/)
    expect(await ask(handle.port!, 1), 'the server lives').toMatchObject({ count: 3 })
  })
})
