import { createApp } from '../../../src/app.ts'
import { clientAddress } from '../../../src/client-address.ts'
import { methodNotAllowed } from '../../../src/pipe/method-not-allowed.ts'

/** What a promise of `waitUntil` has done after an answer, for the next request to see. */
let done = 0

/** One application for the runtimes of all platforms. */
export const app = createApp({ methodNotAllowed })
  .get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id, tags: ctx.query.getAll('tag') }))
  .post('/json', async (ctx) => ctx.json({ got: await ctx.json() }, 201))
  .post('/bytes', async (ctx) => new Response(await ctx.arrayBuffer(), { headers: { 'content-type': 'image/png' } }))
  .post('/form', async (ctx) => {
    const file = (await ctx.formData()).get('file') as File
    return ctx.json([file.name, [...new Uint8Array(await file.arrayBuffer())]])
  })
  .get('/cookies', (ctx) => {
    const headers = new Headers({ 'x-got': ctx.header('cookie') ?? '' })
    for (const cookie of ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2; HttpOnly'])
      headers.append('set-cookie', cookie)
    return new Response('é', { headers })
  })
  .get('/moved', (ctx) => ctx.redirect('/users/1'))
  .get('/empty', () => new Response(null, { status: 204 }))
  .get('/large', () => new Response('x'.repeat(300_000)))
  .get('/throw', () => {
    throw new Error('secret')
  })
  .get('/address', (ctx) => ctx.text(`${clientAddress(ctx)}`))
  .get('/later', (ctx) => {
    const pause = new Promise<void>((resolve) => setTimeout(resolve, 300))
    ctx.waitUntil(pause.then(() => void done++))
    return ctx.text('answer')
  })
  .get('/done', (ctx) => ctx.text(`${done}`))
  .get('/parts', (ctx) =>
    ctx.stream(
      (async function* () {
        for (const part of ['one,', 'two,', 'three']) yield part
      })(),
    ),
  )
