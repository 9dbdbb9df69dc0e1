import { describe, expect, test, vi } from 'vitest'
import { HttpError } from '../src/errors.ts'
import { validate } from '../src/pipe/validate.ts'
import { problemJson } from '../src/problem-json.ts'
import { json } from '../src/respond/json.ts'
import * as z from '../src/z.ts'
import { doors } from './harness.ts'

describe.each(doors)('%s', (_, door) => {
  const routes = [
    [
      'GET',
      '/gone',
      () => Promise.reject(new HttpError(409, 'Name is taken', { code: 'name_taken', headers: ['x-hint', 'rename'] })),
    ],
    [
      'GET',
      '/paid',
      () => Promise.reject(new HttpError(409, 'Paid', { data: { status: 'paid', type: 'order', title: 1, order: 7 } })),
    ],
    [
      'GET',
      '/lost',
      () => Promise.reject(new HttpError(404, undefined, { data: { detail: 'No order 7', errors: [1] } })),
    ],
    ['GET', '/plain', () => Promise.reject(new HttpError(404))],
    ['GET', '/bug', () => Promise.reject(new Error('secret'))],
    ['POST', '/users', async (ctx: any) => json(await validate(ctx, z.object({ name: z.string() })))],
  ] as const

  test.each([
    [
      'an HttpError gives title, detail and code',
      '/gone',
      409,
      {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail: 'Name is taken',
        instance: '/gone',
        code: 'name_taken',
      },
    ],
    [
      'the data of an error replaces no member',
      '/paid',
      409,
      { type: 'about:blank', title: 'Conflict', status: 409, detail: 'Paid', instance: '/paid', order: 7 },
    ],
    [
      'the data of an error adds the members that there are not',
      '/lost',
      404,
      { type: 'about:blank', title: 'Not Found', status: 404, instance: '/lost', detail: 'No order 7', errors: [1] },
    ],
    [
      'a message that is the title is not repeated',
      '/plain',
      404,
      { type: 'about:blank', title: 'Not Found', status: 404, instance: '/plain' },
    ],
    [
      'a bug tells nothing',
      '/bug',
      500,
      { type: 'about:blank', title: 'Internal Server Error', status: 500, instance: '/bug' },
    ],
  ])('R6: %s', async (_sentence, path, status, problem) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await door({ routes: [...routes], ...problemJson() })(path)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual(problem)
    vi.restoreAllMocks()
  })

  test('RFC 9457 §4.2.1: the title of a 405 is its phrase', async () => {
    const fetch = door({ routes: [...routes], ...problemJson(), methodNotAllowed: true })
    const response = await fetch(new Request('http://h/plain', { method: 'POST' }))
    expect({ allow: response.headers.get('allow'), json: await response.json() }).toEqual({
      allow: 'GET, HEAD, OPTIONS',
      json: { type: 'about:blank', title: 'Method Not Allowed', status: 405, instance: '/plain' },
    })
  })

  test("R6: the fields of an HttpError stay, and the type is the option's", async () => {
    const { onError } = problemJson({ type: (status, code) => `https://errors.example/${status}/${code}` })
    const response = await door({ routes: [...routes], onError })('/gone')
    expect(response.headers.get('x-hint')).toBe('rename')
    expect(await response.json()).toMatchObject({ type: 'https://errors.example/409/name_taken' })
  })

  test('R6: a failed validation lists its issues under errors', async () => {
    const request = new Request('http://h/users', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const response = await door({ routes: [...routes], ...problemJson() })(request)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      title: 'Unprocessable Content',
      errors: [{ path: ['name'], message: 'Required' }],
    })
  })

  test.each([
    ['application/problem+json', 'application/problem+json'],
    ['text/html, application/problem+json;q=0.5', 'application/problem+json'],
    ['application/problem+json;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ])('R6: with negotiate, Accept %s gets %s', async (accept, type) => {
    const fetch = door({ routes: [...routes], ...problemJson({ negotiate: true }) })
    const response = await fetch(new Request('http://h/plain', { headers: { accept } }))
    expect(response.headers.get('content-type')).toBe(type)
  })
})
