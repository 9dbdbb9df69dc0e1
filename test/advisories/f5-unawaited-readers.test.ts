import { describe, expect, test } from 'vitest'
import { text } from '../../src/respond/text.ts'
import * as ownForm from '../../src/runtime/platform/own-form.ts'
import { rereadable } from '../../src/runtime/platform/rereadable.ts'
import { brokenOff } from '../../src/runtime/platform/whole-body.ts'
import { doors } from '../harness.ts'
import { watchUnhandled } from '../unhandled.ts'

const unhandled = watchUnhandled()
const READERS = ['json', 'text', 'formData', 'arrayBuffer', 'blob', 'bytes'] as const

/** A body that breaks off, as that of a client that leaves. */
const broken = (): ReadableStream =>
  new ReadableStream({
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })
const request = (body: BodyInit): Request => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return new Request('http://localhost/a', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}

describe.each(READERS)('F5 the promise of request.%s() that nobody awaits', (reader) => {
  test.each(doors)('is not unhandled if the client leaves, %s', async (_, door) => {
    const read = (ctx: any): Response => {
      ctx.request[reader]()
      return text('done')
    }
    expect((await door({ routes: [['POST', '/a', read]] })(request(broken()))).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(unhandled).not.toHaveBeenCalled()
  })

  test.each([
    ['the edge', rereadable],
    ['Bun, Deno, and Node with a platform request', ownForm.rereadable],
  ])('still rejects for whoever awaits it: %s', async (_, convert) => {
    await expect((convert(request(broken())) as any)[reader]()).rejects.toThrow('gone') // any: Node 20 has no bytes()
    expect(unhandled).not.toHaveBeenCalled()
  })
})

test.each([
  ['Bun', 'AbortError'],
  ['Deno', 'Http'],
  ['Deno, with a length', 'BadResource'],
])('a body that breaks off is a 400, as on Node: %s', (_, name) => {
  const cause = Object.assign(new Error('closed'), { name })
  expect(() => brokenOff(cause)).toThrow(
    expect.objectContaining({ message: 'Request body is incomplete', status: 400, cause }),
  )
})

test.each([[new Error('closed')], [undefined], [null], ['text']])('any other error is passed on: %o', (error) => {
  let thrown: unknown = 'nothing'
  try {
    brokenOff(error)
  } catch (given) {
    thrown = given
  }
  expect(thrown).toBe(error)
})
