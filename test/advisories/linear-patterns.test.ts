import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { compression } from '../../src/middleware/compression.ts'
import { text } from '../../src/respond/text.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

describe.each(doors)('%s', (_, door) => {
  test.each([
    ['a header that a handler repeats', (ctx: any) => text('x', 200, { 'x-echo': ctx.header('x-wide') })],
    [
      'a content type that a handler repeats',
      (ctx: any) => new Response('x', { headers: { 'content-type': ctx.header('x-wide') } }),
    ],
  ])('60 kB of tabs in %s take linear time', async (_, handler) => {
    const fetch = door({ use: [compression()], routes: [['GET', '/', handler]] })
    await expectLinear(
      60_000,
      (size) => `a${'\t'.repeat(size)}b`,
      async (wide) => {
        const response = await fetch(new Request('http://localhost/', { headers: { 'x-wide': wide } }))
        expect(response.status).toBe(200)
      },
    )
  })

  test('a prefix of 60,000 slashes is read in linear time', () =>
    expectLinear(
      60_000,
      (size) => `${'/'.repeat(size)}a`,
      (basePath) => door({ basePath, routes: [['GET', '/', () => text('x')]] }),
    ))
})

test('R24: a name is doubled only where both are parameters', () => {
  expect(() => createApp().get('/:id/x/:id', () => text('x'))).toThrow(TypeError)
  expect(() => createApp().get('/:id/*id', () => text('x'))).toThrow(TypeError)
  expect(() => createApp().get('/x:id/:id', () => text('x'))).not.toThrow()
})
