import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEventParser, type ParsedEvent } from '../../src/internal/sse/event-parser.ts'
import { frame } from '../../src/internal/sse/sse-frame.ts'
import { anyText } from '../any-text.ts'

const parse = (...chunks: string[]): ParsedEvent[] => {
  const parser = createEventParser(1000)
  return chunks.flatMap((chunk) => [...parser.feed(chunk)])
}
const message = (data: string, event = 'message', id = ''): ParsedEvent => ({ event, data, id })

describe('TC5: an event stream is parsed as WHATWG HTML 9.2.6 says', () => {
  test.each<[string, string, ParsedEvent[]]>([
    ['data', 'data: a\n\n', [message('a')]],
    ['CR ends lines', 'data: a\rdata: b\r\r', [message('a\nb')]],
    ['CRLF ends lines', 'data: a\r\n\r\n', [message('a')]],
    ['no blank', 'data:a\n\n', [message('a')]],
    ['one blank is taken away, and no more', 'data:  a\n\n', [message(' a')]],
    ['several lines', 'data: a\ndata\ndata: b\n\n', [message('a\n\nb')]],
    ['empty data is an event', 'data\n\ndata:\n\n', [message(''), message('')]],
    ['nothing without data', 'event: x\n\nid: 1\n\n', []],
    ['an id stays', 'id: 1\ndata: a\n\ndata: b\n\n', [message('a', 'message', '1'), message('b', 'message', '1')]],
    ['an empty id takes it away', 'id: 1\n\nid\ndata: b\n\n', [message('b')]],
    ['an id with NUL is ignored', 'id: 1\0\ndata: b\n\n', [message('b')]],
    ['the name is for one event', 'event: e\ndata: a\n\ndata: b\n\n', [message('a', 'e'), message('b')]],
    ['comments and unknown fields', ':x\n: data: y\nfoo: 1\nDATA: z\ndata: a\n\n', [message('a')]],
    ['a blank before the name', ' data: a\n\n', []],
    ['a colon within the value', 'data: a: b:c\n\n', [message('a: b:c')]],
    ['an event without an end is left out', 'data: a\n\ndata: b\n', [message('a')]],
    ['names of the prototype', '__proto__: 1\nconstructor: 2\ndata: a\n\n', [message('a')]],
  ])('%s', (_, stream, expected) => {
    expect(parse(stream)).toEqual(expected)
    expect(parse(...stream)).toEqual(expected)
  })

  test.each([
    ['retry: 10\n', 10],
    ['retry: 010\n\n', 10],
    ['retry: 1.5\n\n', undefined],
    ['retry: -1\n\n', undefined],
    ['retry\n\n', undefined],
    ['retry:  1\n\n', undefined],
  ])('%j asks for a wait of %s', (stream, expected) => {
    const parser = createEventParser(1000)
    expect([...parser.feed(stream)]).toEqual([])
    expect(parser.retry).toBe(expected)
  })

  test('an id counts as seen when its event is complete', () => {
    const parser = createEventParser(1000, '7')
    expect([...parser.feed('id: 8\ndata: a\n')]).toEqual([])
    expect(parser.id).toBe('7')
    expect([...parser.feed('\n')]).toEqual([message('a', 'message', '8')])
    expect(parser.id).toBe('8')
  })

  test.each([
    ['data', 'data: ', 'x'.repeat(94), 'x'.repeat(95)],
    ['a line that is no field', '', 'x'.repeat(100), 'x'.repeat(101)],
    ['many lines', 'data: abc\n'.repeat(20), 'x'.repeat(20), 'x'.repeat(21)],
  ])('an event of more characters than the limit throws: %s', (_, start, fits, tooLong) => {
    expect(() => [...createEventParser(100).feed(start + fits)]).not.toThrow()
    expect(() => [...createEventParser(100).feed(start + tooLong)]).toThrow(RangeError)
  })

  test.each([
    ['one line', `data: ${'x'.repeat(99)}\n\n`, `data: ${'x'.repeat(100)}\n\n`],
    ['many lines', `${'data: abc\n'.repeat(25)}\n`, `${'data: abc\n'.repeat(26)}\n`],
  ])('so does one that arrives at once, and is complete: %s', (_, fits, tooLong) => {
    expect([...createEventParser(100).feed(fits + fits)]).toHaveLength(2)
    expect(() => [...createEventParser(100).feed(fits + tooLong)]).toThrow(RangeError)
  })

  test('property: wherever the stream is cut, the events are the same', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:',
      'data',
      'event: e',
      'id: 1',
      'id',
      ': c',
      'retry: 5',
      '',
      '',
      'x: y',
    )
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 })
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 20 }), (lines, cuts) => {
        const text = lines.flat().join('')
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b)
        const chunks = [0, ...places].map((from, index) => text.slice(from, places[index]))
        expect(parse(...chunks)).toEqual(parse(text))
        expect(parse(text.replace(/\r\n|\r|\n/g, '\r\n'))).toEqual(parse(text.replace(/\r\n|\r|\n/g, '\n')))
      }),
    )
  })

  test('property: what our server writes is what the client reads', () => {
    const name = fc.stringMatching(/^[^\r\n\0]{0,9}$/u)
    fc.assert(
      fc.property(fc.array(fc.record({ data: anyText(), event: name, id: name })), (sent) => {
        const expected = sent.map(({ data, event, id }) =>
          message(data.replace(/\r\n?/g, '\n'), event || 'message', id),
        )
        expect([...createEventParser(1e6).feed(sent.map(frame).join(''))]).toEqual(expected)
      }),
    )
  })
})
