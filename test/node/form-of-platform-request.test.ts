import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'

test.each([
  ['an unquoted name', 'Content-Disposition: form-data; name=a'],
  ['upper case', 'CONTENT-DISPOSITION: FORM-DATA; NAME="a"'],
  ['filename before name', 'Content-Disposition: form-data; filename="f.txt"; name="a"'],
])('P12 formData() of a platform request takes %s', async (_, header) => {
  const app = createApp().post('/', async (ctx) => ctx.json([...(await ctx.formData()).keys()]))
  const body = `before\r\n--XX\r\n${header}\r\n\r\nVAL\r\n--XX--\r\nafter`
  const headers = { 'content-type': 'multipart/form-data; boundary=XX' }
  const response = await app.request('/', { method: 'POST', body, headers })
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '["a"]' })
})

test('F16 a field of a form may be as long as the body', async () => {
  const app = createApp({ bodyLimit: 3_000_000 }).post('/', async (ctx) => {
    const field = (await ctx.formData()).get('a') as string
    return ctx.json(field.length)
  })
  await using server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  const body = new FormData()
  body.append('a', 'x'.repeat(2_000_000))
  for (const answer of [
    await app.request('/', { method: 'POST', body }),
    await fetch(server.url, { method: 'POST', body }),
  ])
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: '2000000' })
})
