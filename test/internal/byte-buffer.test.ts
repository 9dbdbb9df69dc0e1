import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteBuffer } from '../../src/internal/body/byte-buffer.ts'
import { runs } from '../fuzz.ts'

const chunkOf = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, at) => at % 251)

const filled = (expected: number | undefined, chunks: readonly Uint8Array[]): Uint8Array => {
  const bytes = new ByteBuffer()
  for (const chunk of chunks) bytes.add(chunk, expected)
  return bytes.whole()
}

describe('ByteBuffer with an expected number of bytes', () => {
  test('holds what was added, whether the number is right, too small, too large or no number', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 8 })
    const offset = fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 50_000 }), fc.constant(Number.NaN))
    fc.assert(
      fc.property(sizes, offset, (list, off) => {
        const chunks = list.map(chunkOf)
        const all = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
        const bytes = filled(all.length + off, chunks)
        expect(bytes).toEqual(all)
        expect(bytes.byteLength).toBe(bytes.buffer.byteLength)
      }),
      { numRuns: runs(100) },
    )
  })

  test.each([
    ['an eighth is there: memory for all', 16_000, 2_000, 16_000],
    ['one byte less: twice what was there', 16_000, 1_999, 2_000],
    ['exactly as many as expected', 3_000, 3_000, 3_000],
    ['one more than expected', 2_999, 3_000, 3_000],
    ['more than expected, and less than twice what was there', 1_500, 1_900, 2_000],
  ])('%s', (_, expected, size, memory) => {
    const bytes = new ByteBuffer()
    bytes.add(chunkOf(1_000), expected)
    bytes.add(chunkOf(size - 1_000), expected)
    expect(bytes.bytes.buffer.byteLength).toBe(memory)
  })
})
