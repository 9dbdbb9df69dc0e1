/** The same application and client for each contender: two parameters, query, body and output on every route. */

const times = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n')

const sluice = (z) => ({
  app: (count) => `import { createApp, validateBody, validateQuery } from 'sluice'
${z}
export const app = createApp()
${times(
  count,
  (n) => `  .post('/route${n}/:first/with/:second', validateQuery(z.object({ page${n}: z.string() })),
    validateBody(z.object({ name${n}: z.string(), age: z.number() })), (ctx) =>
      ctx.json({ first: ctx.params.first, page: ctx.state.valid.query.page${n}, made: ctx.state.valid.body.name${n} }, 201))`,
)}
`,
  client: (count) => `import { createClient } from 'sluice/client'
import type { app } from './app.js'
export const api = createClient<typeof app>({ baseUrl: 'http://a' })
${times(
  count,
  (n) => `export const call${n} = async () => {
  const response = await api.post('/route${n}/:first/with/:second', { params: { first: 'a', second: 'b' }, query: { page${n}: '1' }, json: { name${n}: 'a', age: 1 } })
  return response.status === 201 ? (await response.json()).made satisfies string : undefined
}`,
)}
`,
  probes: [
    ['path', `api.post('/`, `')`, 'route0/:first/with/:second'],
    [
      'body',
      `api.post('/route1/:first/with/:second', { params: { first: '', second: '' }, query: { page1: '' }, json: { `,
      ` } })`,
      'name1',
    ],
  ],
})

/** Names, and what makes their programs. A probe is code before the caret, code behind it, and what must be offered. */
export const CONTENDERS = {
  'sluice, its z': sluice(`import * as z from 'sluice/z'`),
  'sluice, zod 4': sluice(`import { z } from 'zod'`),
  'hono hc, zod 4': {
    app: (count) => `import { Hono } from 'hono'
import { zValidator } from '@hono/zod-validator'
import { z } from 'zod'
export const app = new Hono()
${times(
  count,
  (n) => `  .post('/route${n}/:first/with/:second', zValidator('query', z.object({ page${n}: z.string() })),
    zValidator('json', z.object({ name${n}: z.string(), age: z.number() })), (c) =>
      c.json({ first: c.req.param('first'), page: c.req.valid('query').page${n}, made: c.req.valid('json').name${n} }, 201))`,
)}
`,
    client: (count) => `import { hc } from 'hono/client'
import type { app } from './app.js'
export const api = hc<typeof app>('http://a')
${times(
  count,
  (n) => `export const call${n} = async () => {
  const response = await api.route${n}[':first'].with[':second'].$post({ param: { first: 'a', second: 'b' }, query: { page${n}: '1' }, json: { name${n}: 'a', age: 1 } })
  return response.status === 201 ? (await response.json()).made satisfies string : undefined
}`,
)}
`,
    probes: [
      ['path', `api.`, ``, 'route0'],
      [
        'body',
        `api.route1[':first'].with[':second'].$post({ param: { first: '', second: '' }, query: { page1: '' }, json: { `,
        ` } })`,
        'name1',
      ],
    ],
  },
  'elysia eden, t': {
    app: (count) => `import { Elysia, t } from 'elysia'
export const app = new Elysia()
${times(
  count,
  (n) => `  .post('/route${n}/:first/with/:second', ({ params, query, body }) =>
    ({ first: params.first, page: query.page${n}, made: body.name${n} }),
    { query: t.Object({ page${n}: t.String() }), body: t.Object({ name${n}: t.String(), age: t.Number() }) })`,
)}
`,
    client: (count) => `import { treaty } from '@elysiajs/eden'
import type { app } from './app.js'
export const api = treaty<typeof app>('http://a')
${times(
  count,
  (n) => `export const call${n} = async () => {
  const { data } = await api.route${n}({ first: 'a' }).with({ second: 'b' }).post({ name${n}: 'a', age: 1 }, { query: { page${n}: '1' } })
  return data?.made satisfies string | undefined
}`,
)}
`,
    probes: [
      ['path', `api.`, ``, 'route0'],
      ['body', `api.route1({ first: '' }).with({ second: '' }).post({ `, ` }, { query: { page1: '' } })`, 'name1'],
    ],
  },
}
