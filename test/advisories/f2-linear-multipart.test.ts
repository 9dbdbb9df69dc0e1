import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { bytesOf } from '../../src/internal/body/read-body.ts'
import { readParts } from '../../src/read/parts.ts'
import { collect } from '../../src/runtime/node/body.ts'

/** Bytes that are copied and searched while something runs: work that is counted, not timed. */
const count = async (run: () => Promise<unknown>): Promise<{ copied: number; searched: number }> => {
  const work = { copied: 0, searched: 0 }
  const { set, indexOf } = Uint8Array.prototype
  const copying = vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, from, at) {
    work.copied += from.length
    return set.call(this, from, at)
  })
  const searching = vi.spyOn(Uint8Array.prototype, 'indexOf').mockImplementation(function (this: Uint8Array, byte, at) {
    const found = indexOf.call(this, byte, at)
    work.searched += (found < 0 ? this.length : found + 1) - (at ?? 0)
    return found
  })
  const concat = Buffer.concat
  const joining = vi.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
    // A list of pieces keeps the memory that each of them is a view of.
    work.copied += list.length * 1000
    return concat(list, length)
  })
  try {
    await run()
  } finally {
    copying.mockRestore()
    searching.mockRestore()
    joining.mockRestore()
  }
  return work
}

/** A form in chunks of one size. */
const requestOf = (text: string, size: number): Request => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
        else controller.close()
        at += size
      },
    },
    { highWaterMark: 0 },
  )
  const init = {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=bbb' },
    duplex: 'half',
  }
  return new Request('http://localhost/', init)
}

const readAll = async (request: Request): Promise<number> => {
  let bytes = 0
  try {
    for await (const part of readParts(request, { headerSize: 1_000_000, headerPairs: 1_000_000 })) {
      for await (const piece of part) bytes += piece.byteLength
    }
  } catch (error) {
    if ((error as { status?: number }).status !== 400) throw error
  }
  return bytes
}

const DISPOSITION = '--bbb\r\ncontent-disposition: form-data; name="a"'

describe('F2: the work of readParts grows with the bytes, not with their square', () => {
  test.each<[string, (length: number) => string]>([
    ['a long header', (length) => `${DISPOSITION}\r\nx: ${'y'.repeat(length)}\r\n\r\n1\r\n--bbb--`],
    ['a header of line breaks', (length) => `${DISPOSITION}\r\n${'x:\r\n'.repeat(length / 4)}\r\n1\r\n--bbb--`],
    ['a header of carriage returns', (length) => `${DISPOSITION}\r\nx: ${'\r'.repeat(length)}`],
    ['a header without an end', (length) => `${DISPOSITION}\r\nx: ${'y'.repeat(length)}`],
    ['white space after a delimiter', (length) => `--bbb${' '.repeat(length)}`],
    ['a preamble', (length) => `${'p'.repeat(length)}\r\n${DISPOSITION}\r\n\r\n1\r\n--bbb--`],
    ['a content', (length) => `${DISPOSITION}\r\n\r\n${'y'.repeat(length)}\r\n--bbb--`],
    ['a content of carriage returns', (length) => `${DISPOSITION}\r\n\r\n${'\r'.repeat(length)}\r\n--bbb--`],
    ['a content of near delimiters', (length) => `${DISPOSITION}\r\n\r\n${'\r\n--bb'.repeat(length / 6)}\r\n--bbb--`],
    ['an epilogue', (length) => `${DISPOSITION}\r\n\r\n1\r\n--bbb--${'e'.repeat(length)}`],
    ['many parts', (length) => `${`${DISPOSITION}\r\n\r\n1\r\n`.repeat(length / 60)}--bbb--`],
  ])('%s, in chunks of 1, 7 and 1000 bytes', async (_, form) => {
    for (const size of [1, 7, 1000]) {
      const small = await count(() => readAll(requestOf(form(3000), size)))
      const large = await count(() => readAll(requestOf(form(12_000), size)))
      const bytes = form(12_000).length
      // Four times the bytes: about four times the work. A square would be sixteen times.
      expect(large.copied).toBeLessThan(6 * small.copied + 2048)
      expect(large.searched).toBeLessThan(6 * small.searched + 2048)
      expect(large.copied).toBeLessThan(6 * bytes)
      expect(large.searched).toBeLessThan(12 * bytes)
      expect(large.searched).toBeGreaterThan(0)
    }
  })

  test('chunks without a byte are passed over, however many there are', async () => {
    let left = 20_000
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        left--
        if (left === 10_000) controller.enqueue(new TextEncoder().encode(`${DISPOSITION}\r\n\r\n1`))
        else if (left) controller.enqueue(new Uint8Array())
        else {
          controller.enqueue(new TextEncoder().encode('\r\n--bbb--'))
          controller.close()
        }
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=bbb' }
    const init = { method: 'POST', body, headers, duplex: 'half' }
    expect(await readAll(new Request('http://localhost/', init))).toBe(1)
  })
})

describe('F2: a body in small chunks costs about what a body in large chunks costs', () => {
  /** What `collect` uses of Node's message. */
  const send = (bytes: Uint8Array, size: number): IncomingMessage => {
    const incoming = Object.assign(new EventEmitter(), { headers: {}, destroyed: false, readableEnded: false })
    queueMicrotask(() => {
      let before: Buffer | undefined
      for (let at = 0; at < bytes.length; at += size) {
        const chunk = Buffer.from(bytes.slice(at, at + size))
        incoming.emit('data', chunk)
        // A chunk that is kept, and not copied when the next one comes, shows this.
        before?.fill(0)
        before = chunk
      }
      incoming.emit('end')
      incoming.emit('close')
    })
    return incoming as unknown as IncomingMessage
  }
  const body = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => 1 + (index % 250))

  test.each([1, 3, 1000])(
    'collect() copies chunks of %i bytes, keeps none, and copies each byte a few times',
    async (size) => {
      const bytes = body(30_000)
      let collected = new Uint8Array()
      const { copied } = await count(async () => {
        collected = await collect(send(bytes, size), 1_000_000)
      })
      expect(Buffer.compare(collected, bytes)).toBe(0)
      expect(copied).toBeLessThan(6 * bytes.length)
    },
  )

  test('collect() returns a single chunk without copying it', async () => {
    const bytes = body(30_000)
    const { copied } = await count(() => collect(send(bytes, 30_000), 1_000_000))
    expect(copied).toBe(0)
  })

  test('bytesOf() of a stream copies chunks of 1 byte and keeps none', async () => {
    const bytes = body(10_000)
    const chunks: Uint8Array[] = []
    let at = 0
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          for (const chunk of chunks.splice(0)) chunk.fill(0)
          if (at >= bytes.length) return controller.close()
          const chunk = bytes.slice(at, at + 1)
          at++
          chunks.push(chunk)
          controller.enqueue(chunk)
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('http://h/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
    let read = new Uint8Array()
    const { copied } = await count(async () => {
      read = await bytesOf(request, 10_000)
    })
    expect(read.length).toBe(bytes.length)
    // The first chunk is the only one that may be kept until a second one comes.
    expect(Buffer.compare(read.subarray(1), bytes.subarray(1))).toBe(0)
    expect(copied).toBeLessThan(6 * bytes.length)
  })
})
