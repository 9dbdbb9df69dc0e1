import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeEvent, frame, type ServerSentEvent } from '../../src/internal/sse/sse-frame.ts'
import { runs } from '../fuzz.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Few values, so that events repeat and differ in one part. */
const part = fc.option(fc.constantFrom('a', 'b', 'ä', '1'), { nil: undefined })
const events = fc.array(
  fc.record({ data: fc.oneof(part, fc.constantFrom(1, null, { a: 1 })), event: part, id: part }, { requiredKeys: [] }),
  { maxLength: 8 },
)

describe('encodeEvent', () => {
  test('it gives what frame gives, for events that repeat and events that differ in one part', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(undefined, 0, 5), (list, retry) => {
        for (const one of list) {
          const event = { ...one, ...(retry !== undefined && { retry }) } as ServerSentEvent
          expect(text(encodeEvent(event))).toBe(frame(event))
          expect(text(encodeEvent({ ...event }))).toBe(frame(event))
        }
      }),
      { numRuns: runs(200) },
    )
  })

  test('an event that repeats is encoded once, whether or not it is the same object', () => {
    const first = encodeEvent({ data: 'same', event: 'tick', id: '1' })
    expect(encodeEvent({ data: 'same', event: 'tick', id: '1' })).toBe(first)
  })

  test.each([{ data: 'b' }, { event: 'b' }, { id: 'b' }, { retry: 2 }])('%j in place of another is sent', (other) => {
    const event = { data: 'a', event: 'a', id: 'a', retry: 1 }
    encodeEvent(event)
    expect(text(encodeEvent({ ...event, ...other }))).toBe(frame({ ...event, ...other }))
  })

  test.each<[string, () => ServerSentEvent, () => string]>([
    ['data that is an object', () => ({ data: changing }), () => `data: {"n":${changing.n}}\n\n`],
    ['an id that is an object', () => ({ data: 'x', id: named as never }), () => `id: ${changing.n}\ndata: x\n\n`],
  ])('%s is encoded each time, because it may have changed', (_, event, expected) => {
    for (let n = 0; n < 3; n++) {
      changing.n = n
      expect(text(encodeEvent(event()))).toBe(expected())
    }
  })

  test('each part is read once: a getter that changes cannot put other bytes under its first value', () => {
    let reads = 0
    const event = {
      get data() {
        return `read ${++reads}`
      },
    }
    expect(text(encodeEvent(event))).toBe('data: read 1\n\n')
    expect(text(encodeEvent({ data: 'read 1' }))).toBe('data: read 1\n\n')
  })

  test.each([16_384, 16_385])('of %s bytes only the smaller event is kept', (size) => {
    const event = { data: 'x'.repeat(size - 'data: \n\n'.length) }
    const first = encodeEvent(event)
    expect(encodeEvent(event) === first).toBe(size === 16_384)
  })

  test.each([
    [undefined, 'sse: send'],
    ['text', 'sse: send'],
    [{ data: '', event: 'a\nb' }, 'sse: event'],
    [{ data: '', retry: 0.5 }, 'sse: retry'],
  ])('%j is refused, also when it repeats', (event, name) => {
    for (let n = 0; n < 2; n++) expect(() => encodeEvent(event as never)).toThrow(name)
  })
})

const changing = { n: 0 }
const named = { toString: () => `${changing.n}` }
