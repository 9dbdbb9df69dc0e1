import { expect, test, vi } from 'vitest'
import { type LoadSheddingOptions, loadShedding } from '../../src/middleware/load-shedding.ts'

/** A runtime that measures neither its memory nor its delay. */
vi.mock('#runtime/core', async (original) => ({ ...(await original<object>()), heapUsed: undefined }))

test.each<[string, LoadSheddingOptions]>([
  ['maxHeap', { maxHeap: 5 }],
  ['maxEventLoopDelay', { maxEventLoopDelay: 5 }],
  ['maxHeap beside maxConcurrent', { maxHeap: 5, maxConcurrent: 1 }],
])('MX12: %s is refused on a runtime that cannot measure it', (_, options) => {
  expect(() => loadShedding(options)).toThrow(
    'loadShedding: maxHeap: expected only maxConcurrent on this runtime, got 5',
  )
})

test.each<[string, LoadSheddingOptions]>([
  ['maxConcurrent', { maxConcurrent: 1 }],
  ['maxHeap with a heap of its own', { maxHeap: 5, heap: () => 0 }],
])('MX12: %s is fine on such a runtime', (_, options) => {
  expect(loadShedding(options)).toBeTypeOf('function')
})
