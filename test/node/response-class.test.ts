import { expect, test } from 'vitest'
import { receivedField, receivedFields } from '../../src/runtime/node/received-fields.ts'
import { addFields, adopt, createResponse, removeField, streamOf } from '../../src/runtime/node/response.ts'

/** The classes that stand for the platform's on Node. */

test('R12: a status from 200 to 599 is one of a response, and below 300 it is ok', () => {
  const okOf = (status: number) => {
    try {
      return createResponse(null, undefined, status).ok
    } catch (error) {
      return (error as Error).name
    }
  }
  expect([199, 200, 299, 300, 599, 600, Number.NaN].map(okOf)).toEqual([
    'RangeError',
    true,
    true,
    false,
    false,
    'RangeError',
    'RangeError',
  ])
})

test('R12: options without a status are a 200, and a reason phrase has no line break', () => {
  const made = createResponse('x', 'a/b', { statusText: 'Fine' })
  expect({ status: made.status, text: made.statusText }).toEqual({ status: 200, text: 'Fine' })
  expect(() => createResponse('x', 'a/b', { statusText: 'a\r\nb' })).toThrow('expected a reason phrase')
})

test('R12: a stream that is locked, or was read in part, is refused', async () => {
  const locked = new ReadableStream()
  locked.getReader()
  const read = new ReadableStream({ start: (controller) => controller.enqueue('x') })
  const reader = read.getReader()
  await reader.read()
  reader.releaseLock()
  for (const stream of [locked, read])
    expect(() => createResponse(stream, 'a/b')).toThrow('locked, or was read already')
})

test('R12: many types have their fields, also those that are not kept', () => {
  const types = Array.from({ length: 300 }, (_, index) => `a/b${index}`)
  for (let round = 0; round < 2; round++)
    expect(types.map((type) => createResponse('x', type).headers.get('content-type'))).toEqual(types)
})

test('R12: cookies of a header map are joined by semicolons, other values by commas', () => {
  const { headers } = createResponse('x', undefined)
  for (const name of ['cookie', 'x-cookie']) {
    headers.append(name, 'a')
    headers.append(name, 'b')
  }
  expect([headers.get('cookie'), headers.get('x-cookie')]).toEqual(['a; b', 'a, b'])
})

test('MW5: a list adds nothing that is there, and the headers of the original stay', () => {
  const given = { 'x-a': '1' }
  const original = createResponse('x', undefined, 200, given)
  const copy = adopt(original)
  addFields(copy, ['x-a', '2', 'x-b', '3'])
  addFields(copy, ['x-c', '4'])
  const second = adopt(copy)
  addFields(second, ['x-d', '5'])
  expect([original, copy, second].map(({ headers }) => Object.fromEntries(headers))).toEqual([
    given,
    { 'x-a': '1', 'x-b': '3', 'x-c': '4' },
    { 'x-a': '1', 'x-b': '3', 'x-c': '4', 'x-d': '5' },
  ])
  const third = adopt(second)
  third.headers.set('x-a', '6')
  expect(second.headers.get('x-a')).toBe('1')
})

test.each<[string, (response: Response) => void]>([
  ['that it was made with', () => {}],
  ['of a list', (response) => void addFields(response, ['x-b', '2'])],
  ['of its header map', (response) => response.headers.set('x-b', '2')],
])('MW5: a field %s can be removed', (_, add) => {
  const response = createResponse('x', undefined, 200, { 'x-a': '1' })
  add(response)
  for (const name of ['x-none', 'x-a', 'x-b']) removeField(response, name)
  expect([...response.headers]).toEqual([])
})

test('R12: a clone has its own body and headers, and none is made of a body that was read', async () => {
  const original = createResponse('text', 'a/b', 201)
  const clone = original.clone()
  clone.headers.set('x-a', '1')
  expect({
    texts: [await clone.text(), await original.text()],
    status: clone.status,
    own: original.headers.get('x-a'),
  }).toEqual({ texts: ['text', 'text'], status: 201, own: null })
  expect(() => original.clone()).toThrow(TypeError)
  await expect(original.text()).rejects.toThrow(TypeError)
})

test('R12: a stream stays the same object, and tells when it was read', async () => {
  const stream = new ReadableStream({ start: (controller) => controller.close() })
  const response = createResponse(stream, 'a/b')
  expect({ same: response.body === stream, known: streamOf(response) === stream, used: response.bodyUsed }).toEqual({
    same: true,
    known: true,
    used: false,
  })
  await stream.getReader().read()
  expect(response.bodyUsed).toBe(true)
})

test('R12: a response of the platform that was read is not adopted', async () => {
  const [used, locked] = [new Response('x'), new Response('x')]
  await used.text()
  locked.body?.getReader()
  for (const response of [used, locked]) expect(() => adopt(response)).toThrow(TypeError)
})

test('R12: received names are in lower case, and those of HTTP/2 itself are left out', () => {
  expect(receivedFields([':method', 'GET', 'X-A', 'One', 'x-b', ':path', 'a:', 'c'])).toEqual([
    'x-a',
    'One',
    'x-b',
    ':path',
    'a:',
    'c',
  ])
})

test.each([
  ['x-a', 'One'],
  ['X-A', 'One'],
  ['x-b', '1, 2'],
  ['cookie', 'a=1; b=2'],
  ['cookie2', 'c, d'],
  ['x-cook', 'e, f'],
  ['none', null],
  ['One', null],
])('X8: the received field %s is %j', (name, expected) => {
  const raw = ['X-a', 'One', 'x-b', '1', 'X-B', '2', 'Cookie', 'a=1', 'cookie', 'b=2']
  expect(receivedField([...raw, 'cookie2', 'c', 'cookie2', 'd', 'x-cook', 'e', 'x-cook', 'f'], name)).toBe(expected)
})
