import { describe, expect, test, vi } from 'vitest'
import { bytesOf, limitBody, rereadable, textOf } from '#runtime/core'
import { decodeText } from '../../src/internal/body/charset.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const MIB = 1_048_576

/** A body of so many bytes, in pieces; tells whether it was cancelled, and how many pieces were asked for. */
const requestOf = (size: number, headers: Record<string, string> = {}, byte = 49) => {
  const cancelled = vi.fn()
  const pulled = vi.fn()
  let left = size
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled()
        const count = Math.min(left, 10_000)
        left -= count
        if (count) controller.enqueue(new Uint8Array(count).fill(byte))
        else controller.close()
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  const init = { method: 'POST', body, headers, duplex: 'half' }
  return { request: new Request('http://h/', init), cancelled, pulled }
}

const statusOf = async (promise: unknown): Promise<unknown> => {
  try {
    await promise
    return 'read'
  } catch (error) {
    return (error as { status?: number }).status
  }
}

describe('F16: #runtime/request reads no more than its limit', () => {
  test.each([
    ['bytesOf: 1 MiB', bytesOf, MIB, undefined, 'read'],
    ['bytesOf: one byte more', bytesOf, MIB + 1, undefined, 413],
    ['textOf: 1 MiB', textOf, MIB, undefined, 'read'],
    ['textOf: one byte more', textOf, MIB + 1, undefined, 413],
    ['bytesOf: a limit of its own', bytesOf, 2 * MIB, 2 * MIB, 'read'],
    ['bytesOf: one byte beyond it', bytesOf, 2 * MIB + 1, 2 * MIB, 413],
    ['bytesOf: no byte allowed, none there', bytesOf, 0, 0, 'read'],
    ['bytesOf: no byte allowed, one there', bytesOf, 1, 0, 413],
    ['bytesOf: no limit', bytesOf, MIB + 1, Number.POSITIVE_INFINITY, 'read'],
  ])('%s', async (_, read: (request: Request, limit?: any) => unknown, size, limit, expected) => {
    expect(await statusOf(read(requestOf(size).request, limit))).toBe(expected)
  })

  test.each(['text', 'json', 'arrayBuffer', 'blob', 'formData', 'bytes'] as const)(
    'request.%s() counts while it reads, whatever Content-Length says, and cancels the rest',
    async (reader) => {
      const { request, cancelled, pulled } = requestOf(100 * MIB, { 'content-length': '5' })
      expect(await statusOf(rereadable(request)[reader]())).toBe(413)
      expect(cancelled).toHaveBeenCalledOnce()
      expect(pulled.mock.calls.length).toBeLessThan(120)
    },
  )

  test('a Content-Length over the limit is refused before a byte is read', async () => {
    const { request, pulled } = requestOf(10, { 'content-length': `${MIB + 1}` })
    expect(await statusOf(textOf(request))).toBe(413)
    expect(pulled).not.toHaveBeenCalled()
  })

  // As requests of servers that enforce a length, whose bodies are read at once
  test.each(['x', 'NaN', '5, 5', '0x10', ''])('a Content-Length of "%s" does not lift the limit', async (length) => {
    const { request, cancelled } = requestOf(2 * MIB, { 'content-length': length })
    Object.defineProperty(Object.assign(request, { cf: {}, '~measured': true }), 'redirect', { value: 'manual' })
    expect(await statusOf(bytesOf(request))).toBe(413)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('textOf gives what a function makes of the text, and keeps the bytes', async () => {
    const { request } = requestOf(3)
    expect(await textOf(request, Number)).toBe(111)
    expect(await textOf(request)).toBe('111')
  })

  test.each([
    ['larger', 2 * MIB, 2 * MIB, 'read'],
    ['larger, one byte beyond it', 2 * MIB, 2 * MIB + 1, 413],
    ['smaller', 10, 10, 'read'],
    ['smaller, one byte beyond it', 10, 11, 413],
  ])('limitBody sets another limit for the request: %s', async (_, limit, size, expected) => {
    const { request } = requestOf(size)
    limitBody(request, limit)
    expect(await statusOf(rereadable(request).arrayBuffer())).toBe(expected)
  })

  test('bytes that were read under a larger limit are given, but not where a smaller one is named', async () => {
    const { request } = requestOf(2 * MIB)
    await bytesOf(request, 2 * MIB)
    expect((await textOf(request)).length).toBe(2 * MIB)
    expect(await statusOf(bytesOf(request, MIB))).toBe(413)
    expect((await rereadable(request).arrayBuffer()).byteLength).toBe(2 * MIB)
  })

  test('a body that other code has read is a TypeError, not an empty body', async () => {
    const { request } = requestOf(10)
    await Request.prototype.text.call(request)
    await expect(bytesOf(request)).rejects.toThrow(TypeError)
  })

  test('a body that other code is reading is a TypeError', async () => {
    const { request } = requestOf(10)
    request.body!.getReader()
    await expect(bytesOf(request)).rejects.toThrow(TypeError)
  })

  test('more bytes than a string can hold are 413', async () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
      throw Object.assign(new Error('Cannot create a string longer than 0x1fffffe8 characters'), {
        code: 'ERR_STRING_TOO_LONG',
      })
    })
    const { request } = requestOf(10)
    const seen = await statusOf(textOf(request))
    let other: unknown
    try {
      decodeText(new Uint8Array(1), 'text/plain; charset=utf-16le')
    } catch (error) {
      other = error
    }
    decode.mockRestore()
    expect(seen).toBe(413)
    expect(other).toMatchObject({ status: 413 })
  })
})

describe.each(doors)('F16: %s', (_, door) => {
  const answer = (read: (ctx: any) => unknown, request: Request, use: any[] = []): Response | Promise<Response> =>
    door({
      use,
      routes: [
        [
          'POST',
          '/',
          async (ctx) => {
            await read(ctx)
            return json('read')
          },
        ],
      ],
    })(request)

  test.each([
    ['ctx.text()', (ctx: any) => ctx.text()],
    ['ctx.json()', (ctx: any) => ctx.json()],
    ['ctx.formData()', (ctx: any) => ctx.formData()],
    ['ctx.arrayBuffer()', (ctx: any) => ctx.arrayBuffer()],
    ['ctx.blob()', (ctx: any) => ctx.blob()],
    ['ctx.request.text()', (ctx: any) => ctx.request.text()],
    ['ctx.request.json()', (ctx: any) => ctx.request.json()],
  ])('%s: 1 MiB is read, one byte more is 413 { error }', async (_, read) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const seen: unknown[] = []
    for (const size of [MIB, MIB + 1]) {
      const response = await answer(read, requestOf(size, headers, 49).request)
      seen.push({ status: response.status, body: await response.json() })
    }
    expect(seen).toEqual([
      { status: 200, body: 'read' },
      { status: 413, body: { error: 'Content Too Large' } },
    ])
  })

  test('X12: a body that bodyParser took under a larger limit is read again as it is', async () => {
    const read = async (ctx: any): Promise<void> => {
      const lengths = [(await ctx.text()).length, (await ctx.request.arrayBuffer()).byteLength, (await ctx.blob()).size]
      expect(lengths).toEqual([2 * MIB, 2 * MIB, 2 * MIB])
    }
    const { request } = requestOf(2 * MIB, { 'content-type': 'text/plain' })
    expect((await answer(read, request, [bodyParser({ text: { limit: 2 * MIB } })])).status).toBe(200)
  })
})
