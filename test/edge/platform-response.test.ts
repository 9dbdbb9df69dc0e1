import { describe, expect, test, vi } from 'vitest'
import { TEXT } from '../../src/internal/header/text-type.ts'
import * as platform from '../../src/runtime/platform/response.ts'
import { withoutBody as withLength } from '../../src/runtime/platform/without-body.ts'

/** Responses of the platform's own class, as edges, Bun and Deno have them. */

const { adopt, contentOf, createResponse, createTyped, isNoted, isWhole, noContent, streamOf, withoutBody } = platform

const bytes = new TextEncoder().encode('body')
const stream = (cancel: () => void = () => {}) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
    cancel,
  })
const shown = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  body: await response.text(),
})

test.each<[string, Parameters<typeof createResponse>, object]>([
  ['a text', ['body', TEXT], { status: 200, type: 'text/plain;charset=UTF-8', body: 'body' }],
  ['a text with a status', ['body', TEXT, 201], { status: 201, type: TEXT, body: 'body' }],
  ['a text with options', ['body', TEXT, { status: 202 }], { status: 202, type: TEXT, body: 'body' }],
  ['another type', ['{}', 'application/json'], { status: 200, type: 'application/json', body: '{}' }],
  ['bytes without a type', [bytes, undefined], { status: 200, type: null, body: 'body' }],
  ['a type beside other headers', ['body', 'a/b', 200, { 'x-a': '1' }], { status: 200, type: 'a/b', body: 'body' }],
  [
    'a type among the headers, which counts',
    ['body', 'a/b', { headers: { 'Content-Type': 'c/d' } }],
    { status: 200, type: 'c/d', body: 'body' },
  ],
  [
    'headers that replace those of the options',
    ['body', 'a/b', { headers: { 'content-type': 'c/d' } }, { 'content-type': 'e/f' }],
    { status: 200, type: 'e/f', body: 'body' },
  ],
  ['a status without a body', ['body', 'a/b', 204], { status: 204, type: null, body: '' }],
])('R12: createResponse takes %s', async (_, given, expected) => {
  expect(await shown(createResponse(...given))).toEqual(expected)
})

test('R12: a text whose type is set when it is sent gets it at once', async () => {
  expect(await shown(createTyped('body', 'a/b'))).toEqual({ status: 200, type: 'a/b', body: 'body' })
})

test.each<[string, () => Response, object]>([
  ['of a text', () => createResponse('body', TEXT), { content: 'body', whole: true, noted: true, stream: false }],
  ['of bytes', () => createResponse(bytes, 'a/b'), { content: bytes, whole: true, noted: true, stream: false }],
  ['of nothing', () => createResponse(null, undefined), { content: null, whole: true, noted: true, stream: false }],
  ['of a stream', () => createResponse(stream(), 'a/b'), { content: null, whole: false, noted: true, stream: true }],
  ['of others', () => new Response('body'), { content: undefined, whole: false, noted: false, stream: true }],
  ['of others without a body', () => new Response(), { content: undefined, whole: false, noted: false, stream: false }],
])('R12: it is known what a response %s was made of, also of its copy', (_, make, expected) => {
  const made = make()
  const look = (response: Response) => ({
    content: contentOf(response).content,
    whole: isWhole(response),
    noted: isNoted(response),
    stream: streamOf(response) !== null,
  })
  expect({ ...look(made), same: contentOf(made).response === made }).toEqual({ ...expected, same: true })
  expect(look(adopt(made))).toEqual(expected)
})

describe('I4: a copy', () => {
  test.each<[string, () => Response]>([
    ['of a text', () => createResponse('body', TEXT, 201)],
    ['of bytes without a type', () => createResponse(bytes, undefined, 201)],
    ['of a text without a type', () => createResponse('body', undefined, { status: 201, headers: [] })],
    ['of a stream', () => createResponse(stream(), 'a/b', 201)],
    ['of a response of others', () => new Response('body', { status: 201 })],
  ])('%s has its content, its status and its own headers', async (_, make) => {
    const expected = await shown(make())
    const made = make()
    const copy = adopt(made)
    copy.headers.set('x-a', '1')
    expect({ ...(await shown(copy)), own: made.headers.get('x-a') }).toEqual({ ...expected, own: null })
  })

  test('of a switch of protocols is itself, since its socket would be lost', () => {
    const response = Object.defineProperty(new Response(), 'status', { value: 101 })
    expect(adopt(response)).toBe(response)
    expect(withoutBody(response)).toBe(response)
  })
})

test('MW5: lists and removals change the headers of a response', () => {
  const response = platform.addFields(createResponse('body', TEXT), ['x-a', '1', 'x-b', '2'])
  platform.removeField(response, 'x-b')
  expect({ a: response.headers.get('x-a'), b: response.headers.get('x-b') }).toEqual({ a: '1', b: null })
})

describe('R32: a response to HEAD', () => {
  test.each<[string, () => Response, string | null]>([
    ['of a text', () => createResponse('bödy', TEXT), '5'],
    ['of bytes', () => createResponse(bytes, 'a/b'), '4'],
    ['of an empty text', () => createResponse('', TEXT), null],
    ['of nothing', () => createResponse(null, undefined), null],
    ['with a length', () => createResponse('body', TEXT, 200, { 'content-length': '9' }), '9'],
    ['of a stream', () => createResponse(stream(), 'a/b'), null],
    ['of others', () => new Response('body'), null],
  ])('%s has no body, and a length if that is known', async (_, make, length) => {
    const { status, headers } = make()
    const empty = withLength(make())
    expect({ status: empty.status, type: empty.headers.get('content-type') }).toEqual({
      status,
      type: headers.get('content-type'),
    })
    expect({ body: await empty.text(), length: empty.headers.get('content-length') }).toEqual({ body: '', length })
    expect({ body: withoutBody(make()).body, status: withoutBody(make()).status }).toEqual({ body: null, status })
  })

  test.each<[string, () => Response, boolean]>([
    ['nothing', () => new Response(null), true],
    ['nothing, by a helper', () => createResponse(null, undefined), true],
    ['an empty text, whose length is 0', () => createResponse('', TEXT), false],
    ['a 304, which has no body', () => createResponse(null, undefined, 304), false],
    ['a 204, which has no body', () => noContent(), false],
  ])('of %s: whether it has an empty stream, so that no length is sent', (_, make, isStream) => {
    expect(withLength(make()).body !== null).toBe(isStream)
  })

  test('cancels a stream, and has one that is empty, so that no length is sent', async () => {
    const cancel = vi.fn()
    expect(withLength(createResponse(stream(cancel), 'a/b')).body).toBeInstanceOf(ReadableStream)
    expect(withLength(createResponse('body', TEXT)).body).toBe(null)
    withoutBody(createResponse(stream(cancel), 'a/b'))
    expect(cancel).toHaveBeenCalledTimes(2)
  })

  test.each<[string, number, object | null]>([
    ['of fetch for HEAD has an empty stream, so that it does not claim the length 0', 200, expect.any(ReadableStream)],
    ['with a status that has no body has none', 204, null],
  ])('%s', (_, status, body) => {
    expect(withLength(new Response(null, { status })).body).toEqual(body)
  })

  test('of a switch of protocols is itself', () => {
    const response = Object.defineProperty(new Response(stream()), 'status', { value: 101 })
    expect(withLength(response)).toBe(response)
  })

  test('whose stream is locked, or fails when it is cancelled, rejects nothing', async () => {
    const locked = createResponse(stream(), 'a/b')
    locked.body?.getReader()
    const failing = createResponse(
      stream(() => {
        throw new Error('cancel')
      }),
      'a/b',
    )
    expect([withoutBody(locked).body, withoutBody(failing).body]).toEqual([null, null])
    await new Promise((resolve) => setTimeout(resolve))
  })
})

test('R12: noContent is a 204', () => {
  const { status, body } = noContent()
  expect({ status, body }).toEqual({ status: 204, body: null })
})
