import { describe, expect, test } from 'vitest'
import { getSignedCookie, setSignedCookie } from '../src/cookie.ts'
import { validate } from '../src/pipe/validate.ts'
import { readBytes } from '../src/read/bytes.ts'
import { readInput } from '../src/read/input.ts'
import { text } from '../src/respond/text.ts'
import { object, string } from '../src/z.ts'
import { doors } from './harness.ts'
import { watchUnhandled } from './unhandled.ts'

const unhandled = watchUnhandled()

const post = (): Request =>
  new Request('http://localhost/', {
    method: 'POST',
    body: 'x'.repeat(2_000_000),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })

describe.each(doors)('%s: a promise that nobody awaits', (name, door) => {
  const rows: [string, (ctx: any) => Promise<unknown>][] = [
    ['json', (ctx: any) => ctx.json()],
    ['text', (ctx: any) => ctx.text()],
    ['formData', (ctx: any) => ctx.formData()],
    ['readBytes', (ctx: any) => readBytes(ctx)],
    ['validate', (ctx: any) => validate(ctx, object({ a: string() }))],
    ['readInput', (ctx: any) => readInput(ctx)],
    ['setSignedCookie', (ctx: any) => setSignedCookie(ctx, 'a b', 'x', 'secret-of-thirty-two-bytes-0000000')],
    ['setSignedCookie without a secret', (ctx: any) => setSignedCookie(ctx, 'a', 'x', '')],
    ['getSignedCookie without a secret', (ctx: any) => getSignedCookie(ctx, 'a', '')],
  ]
  // On the pipe door these two are methods of the harness, not functions of the library
  if (name !== 'pipe') rows.push(['arrayBuffer', (ctx) => ctx.arrayBuffer()], ['blob', (ctx) => ctx.blob()])

  test.each(rows)('%s: its rejection is not unhandled, and awaiting it still gives the error', async (_, read) => {
    const errors: unknown[] = []
    const fetch = door({
      routes: [
        [
          'POST',
          '/',
          async (ctx) => {
            read(ctx)
            await read(ctx).catch((error: unknown) => errors.push(error))
            return text('ok')
          },
        ],
      ],
    })
    expect((await fetch(post())).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(unhandled).not.toHaveBeenCalled()
    expect(errors).toEqual([expect.any(Error)])
  })
})
