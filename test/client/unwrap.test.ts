import { expect, test } from 'vitest'
import { ClientError, createClient, unwrap } from '../../src/client.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import * as z from '../../src/z.ts'
import { doors } from '../harness.ts'

test.each([
  ['JSON', Response.json({ a: 1 }), { a: 1 }],
  ['JSON of another name', new Response('[1]', { headers: { 'content-type': 'application/vnd.a+json' } }), [1]],
  ['JSON in capitals', new Response('[1]', { headers: { 'content-type': 'Application/JSON; Charset=UTF-8' } }), [1]],
  ['a list of JSON texts', new Response('1\n2', { headers: { 'content-type': 'application/jsonl' } }), '1\n2'],
  ['a name with json in it', new Response('1 2', { headers: { 'content-type': 'text/xjson' } }), '1 2'],
  ['text', new Response('{"a":1}', { headers: { 'content-type': 'text/plain' } }), '{"a":1}'],
  ['no body', new Response(null, { status: 204 }), undefined],
  ['an empty JSON answer', new Response('', { headers: { 'content-type': 'application/json' } }), undefined],
])('TC4: unwrap gives the data: %s', async (_, response, expected) => {
  expect(await unwrap(response)).toEqual(expected)
  expect(response.bodyUsed || response.body === null).toBe(true)
})

test.each([
  [
    'our error',
    Response.json({ error: 'Gone', code: 'X' }, { status: 410 }),
    410,
    'Gone',
    { error: 'Gone', code: 'X' },
  ],
  ['text', new Response('no', { status: 500 }), 500, 'The server responded with 500', 'no'],
  ['no body', new Response(null, { status: 404 }), 404, 'The server responded with 404', undefined],
  ['a redirect', new Response(null, { status: 304 }), 304, 'The server responded with 304', undefined],
  [
    'an error that is not text',
    Response.json({ error: { a: 1 }, issues: 1 }, { status: 400 }),
    400,
    'The server responded with 400',
    { error: { a: 1 }, issues: 1 },
  ],
  [
    'invalid JSON',
    new Response('{', { headers: { 'content-type': 'application/json' } }),
    200,
    'The server responded with 200',
    '{',
  ],
])('TC4: unwrap throws ClientError: %s', async (_, response, status, message, body) => {
  const error = await unwrap(Promise.resolve(response)).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ClientError)
  expect(error).toMatchObject({ name: 'ClientError', status, message, body, issues: [] })
})

test('unwrap reads message and issues of Problem Details', async () => {
  const errors = [{ path: ['name'], message: 'Required', code: 'invalid_type' }]
  const problem = {
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'Validation failed',
    errors,
  }
  const headers = { 'content-type': 'application/problem+json' }
  const refused = async (body: object) =>
    unwrap(new Response(JSON.stringify(body), { status: 422, headers })).catch((thrown) => thrown)
  expect(await refused(problem)).toMatchObject({ message: 'Validation failed', issues: errors })
  expect(await refused({ ...problem, error: 'Our own' })).toMatchObject({ message: 'Our own' })
  const { detail: _, ...short } = problem
  expect(await refused(short)).toMatchObject({ message: 'Unprocessable Content' })
})

test.each(doors)('TC4: %s: what a validator refuses has its issues', async (_, door) => {
  const schema = z.object({ name: z.string() })
  const fetch = door({ routes: [['POST', '/', validateBody(schema), () => Response.json(1)]] })
  const api: any = createClient<any>({ fetch }) // any: the door has no type
  const error = await unwrap(api.post('/', { json: { name: 1 } })).catch((thrown) => thrown)
  expect(error).toMatchObject({ status: 422, issues: [{ path: ['name'], code: 'invalid_type' }] })
})
