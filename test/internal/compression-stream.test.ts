import { afterEach, expect, test, vi } from 'vitest'
import { canEncode } from '../../src/runtime/platform/compression-stream.ts'

afterEach(() => vi.unstubAllGlobals())

test('MZ5: whether the platform has a coding is found out once, be it yes or no', () => {
  const made = vi.fn()
  vi.stubGlobal(
    'CompressionStream',
    class {
      constructor(coding: string) {
        made(coding)
        if (coding === 'brotli') throw new TypeError('unknown')
      }
    },
  )
  for (let turn = 0; turn < 3; turn++) expect(['br', 'gzip'].map(canEncode)).toEqual([false, true])
  expect(made.mock.calls).toEqual([['brotli'], ['gzip']])
})
