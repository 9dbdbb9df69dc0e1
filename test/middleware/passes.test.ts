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
