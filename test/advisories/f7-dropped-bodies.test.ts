import { describe, expect, test, vi } from 'vitest'
import { onResponse } from '../../src/kernel/edits.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { json } from '../../src/respond/json.ts'
import { stream } from '../../src/respond/stream.ts'
import { serve } from '../../src/serve.ts'
import { doors } from '../harness.ts'

type Step = (ctx: any, next: any) => any // steps of every door

/** Ways in which nobody will read a body, although no middleware has put another in its place. */
const drops: readonly (readonly [string, Step])[] = [
  [
    'a middleware that responds without waiting for next()',
    (_, next) => {
      next()
      return json('other')
    },
  ],
  [
    'a middleware that fails after next(), and onError',
    async (_, next) => {
      await next()
      throw new Error('no')
    },
  ],
  [
    'an edit that fails, and onError',
    (ctx, next) => {
      onResponse(ctx, () => {
        throw new Error('no')
      })
      return next()
    },
  ],
  ['a deadline', timeout(1, { message: 'other' })],
]

/** Ways in which a middleware replaces a response: it owns the body of the one before, and cancels it. */
const replaces: readonly (readonly [string, Step])[] = [
  [
    'a middleware that returns another',
    async (_, next) => {
      await (await next()).body.cancel()
      return json('other')
    },
  ],
  [
    'a middleware that stores another as ctx.response',
    async (ctx, next) => {
      await next()
      await ctx.response.body.cancel()
      ctx.response = json('other')
    },
  ],
  [
    'an edit that returns another',
    (ctx, next) => {
      onResponse(ctx, async (response: Response) => {
        await response.body!.cancel()
        return json('other')
      })
      return next()
    },
  ],
]

/** Ways in which the new response goes on with the body of the one before. */
const goesOn: readonly (readonly [string, Step])[] = [
  ['the same', async (_, next) => await next()],
  ['a copy by hand', async (_, next) => new Response((await next()).body, { status: 201 })],
  ['a clone', async (_, next) => (await next()).clone()],
  ['a transformed body', async (_, next) => new Response((await next()).body.pipeThrough(new TransformStream()))],
  [
    'a copy as ctx.response',
    async (ctx, next) => {
      await next()
      ctx.response = new Response(ctx.response.body, { headers: { 'x-copy': '1' } })
    },
  ],
  [
    'ctx.response itself',
    async (ctx, next) => {
      await next()
      const { response } = ctx
      ctx.response = response
    },
  ],
  [
    'a copy by an edit',
    (ctx, next) => {
      onResponse(ctx, (response: Response) => new Response(response.body))
      return next()
    },
  ],
  ['the text of the one before', async (_, next) => new Response(await (await next()).text())],
  ['a generator that reads it once it is asked', async (_, next) => stream(parts(await next()))],
  ['a stream that reads it once it is asked', async (_, next) => new Response(onDemand(await next()))],
  [
    'a stream of a synchronous middleware',
    (_, next) => {
      const given = next()
      return given.then ? given.then((late: Response) => stream(parts(late))) : stream(parts(given))
    },
  ],
  [
    'a generator as ctx.response',
    async (ctx, next) => {
      await next()
      ctx.response = stream(parts(ctx.response))
    },
  ],
  [
    'a generator of an edit',
    (ctx, next) => {
      onResponse(ctx, (response: Response) => stream(parts(response)))
      return next()
    },
  ],
  [
    'a generator of a later edit, behind one that changes a field',
    (ctx, next) => {
      onResponse(ctx, async (response: Response) => stream(parts(response)))
      onResponse(ctx, ['x-a', 'b'])
      return next()
    },
  ],
  [
    'a generator that is thrown',
    async (_, next) => {
      throw stream(parts(await next()))
    },
  ],
]

async function* parts(response: Response): AsyncGenerator<Uint8Array> {
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) yield part
}

const onDemand = (response: Response): ReadableStream => {
  let source: ReadableStreamDefaultReader<Uint8Array> | undefined
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    source ??= response.body!.getReader()
    const { done, value } = await source.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

describe.each(doors)(
  'F7: a stream that cannot be sent is an error, also in the place of another, through %s',
  (_, door) => {
    test.each([
      ['one that somebody else reads', async (response: Response) => void response.body!.getReader()],
      ['one that was read already', async (response: Response) => void (await response.text())],
    ])('%s', async (_, take) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const step: Step = async (_, next) => {
        await next()
        const response = stream(['other'])
        await take(response)
        return response
      }
      const fetch = door({ use: [step], routes: [['GET', '/', () => stream(['data'])]] })
      const server = await serve(fetch, { port: 0, hostname: '127.0.0.1' })
      expect((await globalThis.fetch(server.url)).status).toBe(500)
      await server.close()
      vi.restoreAllMocks()
    })
  },
)

describe.each(doors)('F7: whatever is dropped is cancelled, through %s', (_, door) => {
  const sources = [
    ['of the platform', (body: ReadableStream) => new Response(body)],
    ['of stream()', (body: ReadableStream) => stream(() => body)],
  ] as const

  test.each(goesOn)('a whole text goes on in %s', async (_, step) => {
    for (const made of [() => new Response('data'), () => json('data')]) {
      const fetch = door({ use: [step], routes: [['GET', '/', made]] })
      expect(await (await fetch('/')).text()).toMatch(/^"?data"?$/)
    }
  })

  describe.each(sources)('a response %s', (_, make) => {
    const run = async (
      step: Step,
      read = (response: Response): Promise<unknown> => response.text(),
      method = 'GET',
    ): Promise<{ cancelled: number; text: unknown }> => {
      let cancelled = 0
      let pulled = 0
      const body = (): ReadableStream =>
        new ReadableStream(
          {
            pull(controller) {
              if (pulled++ < 3) controller.enqueue(new TextEncoder().encode('data'))
              else controller.close()
            },
            cancel() {
              cancelled++
            },
          },
          { highWaterMark: 0 },
        )
      const later = async (): Promise<Response> => {
        await new Promise((resolve) => setTimeout(resolve, 4))
        return make(body())
      }
      const fetch = door({ use: [step], routes: [['GET', '/', later]], onError: () => json('other', 500) })
      const response = await fetch(new Request('http://localhost/', { method }))
      const text = await read(response)
      await vi.waitFor(() => expect(pulled + cancelled).toBeGreaterThan(0))
      await new Promise((resolve) => setTimeout(resolve, 2))
      return { cancelled, text }
    }

    test.each([...drops, ...replaces])('%s', async (_, step) => {
      expect(await run(step)).toEqual({ cancelled: 1, text: expect.stringContaining('other') })
    })

    test('HEAD', async () => {
      expect(await run(async (_, next) => await next(), undefined, 'HEAD')).toEqual({ cancelled: 1, text: '' })
    })

    test.each(goesOn)('the body goes on in %s', async (_, step) => {
      expect(await run(step)).toEqual({ cancelled: 0, text: 'datadatadata' })
    })
  })
})
