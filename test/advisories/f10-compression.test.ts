import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { compression } from '../../src/middleware/compression.ts'
import { doors } from '../harness.ts'

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync } as const

/** What a promise gives, or `late` where it does not settle. */
const bounded = <T>(work: Promise<T>): Promise<T | 'late'> =>
  Promise.race([work, new Promise<'late'>((resolve) => setTimeout(resolve, 5000, 'late'))])

describe.each(doors)('F10: compression through %s', (_, door) => {
  const ask = (stream: ReadableStream, coding: string, threshold: number): Promise<Response> =>
    door({
      use: [compression({ threshold })],
      routes: [['GET', '/', () => new Response(stream, { headers: { 'content-type': 'text/plain' } })]],
    })(new Request('http://localhost/', { headers: { 'accept-encoding': coding } }))

  describe.each(Object.keys(decoders) as (keyof typeof decoders)[])('%s', (coding) => {
    test.each([
      ['at once', 0, 0],
      ['below the threshold', 10, 1024],
      ['after the threshold', 5000, 1024],
      ['without a threshold', 10, 0],
    ])('a stream that fails without a reason fails the body: %s', async (_, length, threshold) => {
      const chunks = length ? [new Uint8Array(length)] : []
      const stream = new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(chunk)
          else controller.error()
        },
      })
      const outcome = await bounded(
        ask(stream, coding, threshold)
          .then(async (response) => {
            if (response.status === 200) return response.arrayBuffer().then(() => 'read')
            return 'refused'
          })
          .catch(() => 'failed'),
      )
      expect(['failed', 'refused']).toContain(outcome)
    })

    test.each([0, 1024])('empty chunks do not end the body, with threshold %i', async (threshold) => {
      const parts = ['', 'one', '', '', 'two'.repeat(1000), '', 'three', '']
      const stream = new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(part))
        },
      })
      const response = await ask(stream, coding, threshold)
      expect(response.headers.get('content-encoding')).toBe(coding)
      const body = decoders[coding](new Uint8Array(await response.arrayBuffer()))
      expect(body.toString()).toBe(`one${'two'.repeat(1000)}three`)
    })
  })
})
