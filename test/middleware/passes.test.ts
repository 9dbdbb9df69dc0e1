import { expect, test } from 'vitest'
import { apiKey } from '../../src/middleware/api-key.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { text } from '../../src/respond/text.ts'
import { createApp } from '../../src/tiny.ts'
import { object } from '../../src/z/object.ts'
import { string } from '../../src/z/string.ts'

const verify = async () => ({ id: 1 })

test.each([
  ['validateBody', validateBody(object({ name: string() }))],
  ['bodyParser', bodyParser()],
  ['bearerAuth', bearerAuth({ verify })],
  ['basicAuth', basicAuth({ verify })],
  ['apiKey', apiKey({ verify })],
])('MW2: %s passes the response of the handler on without a copy', async (_, middleware) => {
  const answer = text('ok')
  const app = createApp().post('/', middleware as never, () => answer)
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k' }
  for (const authorization of ['Bearer t', `Basic ${btoa('a:b')}`]) {
    const init = { method: 'POST', body: '{"name":"Ann"}', headers: { ...headers, authorization } }
    const response = await app.fetch(new Request('http://localhost/', init))
    if (response.status === 401) continue
    expect(response).toBe(answer)
    return
  }
  expect.unreachable('every request was refused')
})

test('MW2: middleware of a path that only passes on leaves the response without a copy', async () => {
  const answer = text('ok')
  const app = createApp()
    .use('/a/*', bearerAuth({ verify }))
    .get('/:folder/b', () => answer)
  const response = await app.fetch(new Request('http://localhost/a/b', { headers: { authorization: 'Bearer t' } }))
  expect(response).toBe(answer)
})

test('I4: middleware of a path edits a copy, not the response that a handler gives to everybody', async () => {
  const answer = text('ok')
  const app = createApp()
    .use('/a/*', async (_, next) => {
      const response = await next()
      response.headers.append('x-times', 'one')
      return response
    })
    .get('/:folder/b', () => answer)
  for (const turn of ['first', 'second']) {
    const { headers } = await app.fetch(new Request('http://localhost/a/b'))
    expect({ turn, times: headers.get('x-times') }).toEqual({ turn, times: 'one' })
  }
})
