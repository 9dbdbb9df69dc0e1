import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { ipRestriction } from '../../src/middleware/ip-restriction.ts'

test.each([
  ['127.0.0.1', ['127.0.0.0/8'], 200],
  ['127.0.0.1', ['10.0.0.0/8'], 403],
  ['::', ['127.0.0.1'], 200],
  ['::', ['::1'], 403],
])('MX7: a socket at %s, where %j are allowed: %i', async (hostname, allow, status) => {
  const app = createApp()
    .use(ipRestriction({ allow }))
    .get('/', (ctx) => ctx.text('x'))
  const server = await app.listen({ port: 0, hostname })
  try {
    const headers = { 'x-forwarded-for': '10.0.0.1' }
    expect((await fetch(`http://127.0.0.1:${server.port}/`, { headers })).status).toBe(status)
  } finally {
    await server.close()
  }
})
