import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { html as template } from '../../src/html.ts'
import { jsx } from '../../src/jsx-runtime.ts'
import { html } from '../../src/respond/html.ts'
import { doors } from '../harness.ts'

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 1, value))

async function* items(...list: unknown[]): AsyncGenerator<unknown> {
  for (const item of list) yield await later(item)
}

describe.each(doors)('MX16: markup as a response, through %s', (_, door) => {
  test.each([
    ['a template', () => template`<p>${'<'}</p>`, '<p>&lt;</p>'],
    ['JSX', () => jsx('p', { children: '<' }), '<p>&lt;</p>'],
    ['nothing', () => template``, ''],
    ['a promise', () => template`<p>${later('<')}</p>`, '<p>&lt;</p>'],
    ['a string, as before', () => '<p>', '<p>'],
  ])('%s', async (_title, make, expected) => {
    const fetch = door({ routes: [['GET', '/', () => html(make(), 201, { 'x-a': 'b' })]] })
    const response = await fetch('/')
    expect(response.status).toBe(201)
    expect(response.headers.get('x-a')).toBe('b')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toBe(expected)
  })

  test('a HEAD request gets no body, and the stream ends', async () => {
    const fetch = door({ routes: [['GET', '/', () => html(template`${later('a')}`)]] })
    expect(await (await fetch(new Request('http://h/', { method: 'HEAD' }))).text()).toBe('')
  })
})

test('MX16: ctx.html takes markup', async () => {
  const app = createApp().get('/', (ctx) => ctx.html(template`<p>${ctx.query.get('name')}`))
  expect(await (await app.request('/?name=%3Cb%3E')).text()).toBe('<p>&lt;b&gt;')
})

describe('MX16: what comes later', () => {
  test.each([
    ['a promise', () => template`<p>${later('<')}</p>`, '<p>&lt;</p>'],
    ['a promise of markup', () => template`<p>${later(template`<b>`)}</p>`, '<p><b></p>'],
    ['a promise of a list of promises', () => template`${later([later('a'), 'b', later('c')])}`, 'abc'],
    ['promises keep their order', () => template`${later('a')}-${Promise.resolve('b')}-${'c'}`, 'a-b-c'],
    ['an asynchronous iterator', () => template`<p>${items('a', '<', null, template`<b>`)}</p>`, '<p>a&lt;<b></p>'],
    ['a stream', () => template`${new Response('<').body!.pipeThrough(new TextDecoderStream())}`, '&lt;'],
    ['nested', () => template`<p>${template`<b>${later('x')}</b>`}</p>`, '<p><b>x</b></p>'],
    ['a thenable', () => template`${{ then: (go: (value: string) => void) => go('<') }}`, '&lt;'],
    ['in an attribute', () => template`<p title="a ${later('"')}${'b'}">`, '<p title="a &quot;b">'],
    ['in a whole attribute', () => template`<p title=${later('"')} lang=${later(null)}>`, '<p title="&quot;">'],
    ['in a URL', () => template`<a href="java${later('script:x')}">`, '<a href="about:invalid">'],
    [
      'in JSON',
      () => template`<script type="text/json">${later(['<'])}</script>`,
      '<script type="text/json">["\\u003c"]</script>',
    ],
    ['in a URL of JSX', () => jsx('a', { href: later('javascript:x') }), '<a href="about:invalid"></a>'],
    ['a component', () => jsx(async () => later(jsx('b', { children: later('<') })), {}), '<b>&lt;</b>'],
  ])('%s', async (_, make, expected) => {
    expect(await make().text()).toBe(expected)
    expect(await html(make()).text()).toBe(expected)
    expect(() => String(make())).toThrow('await markup.text()')
  })

  test('available parts are sent before later ones', async () => {
    let send = (_: string): void => {}
    const promise = new Promise<string>((resolve) => {
      send = resolve
    })
    const reader = html(template`<p>${promise}</p>`).body!.getReader()
    const decoder = new TextDecoder()
    expect(decoder.decode((await reader.read()).value)).toBe('<p>')
    send('<')
    expect(decoder.decode((await reader.read()).value)).toBe('&lt;')
    expect(decoder.decode((await reader.read()).value)).toBe('</p>')
    expect((await reader.read()).done).toBe(true)
  })

  test('an iterator is asked as fast as the reader reads, and ends when the reader goes', async () => {
    const asked: unknown[] = []
    async function* endless(): AsyncGenerator<string> {
      try {
        for (let count = 0; ; count++) {
          asked.push(count)
          yield `${count}`
        }
      } finally {
        asked.push('over')
      }
    }
    const reader = html(template`${endless()}`).body!.getReader()
    await later('')
    expect(asked).toEqual([])
    await reader.read()
    await reader.read()
    expect(asked).toEqual([0, 1])
    await reader.cancel()
    expect(asked).toEqual([0, 1, 'over'])
  })

  test('no empty pieces are sent', async () => {
    const reader = html(template`${later('<')}`).body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('&lt;')
    expect((await reader.read()).done).toBe(true)
  })

  test('each iterator is ended once: not if it has come to its end', async () => {
    const log: string[] = []
    const source = (size: number): AsyncIterable<string> => ({
      [Symbol.asyncIterator]: () => {
        let at = 0
        return {
          next: async () => (at++ < size ? { done: false, value: 'a' } : { done: true, value: undefined }),
          return: async () => {
            log.push(`ended at ${at}`)
            return { done: true, value: undefined }
          },
        }
      },
    })
    expect(await template`${source(2)}${later('b')}`.text()).toBe('aab')
    expect(log).toEqual([])
    const reader = html(template`${source(5)}`).body!.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    expect(log).toEqual(['ended at 2'])
  })

  test.each([
    ['a promise', () => template`<p>${Promise.reject(new Error('no'))}</p>`],
    ['a promise behind another', () => template`${later('a')}${Promise.reject(new Error('no'))}`],
    ['a promise in an attribute', () => template`<p title="${Promise.reject(new Error('no'))}">`],
    ['a component', () => jsx(async () => Promise.reject(new Error('no')), {})],
    [
      'an iterator',
      () =>
        template`${(async function* () {
          yield 'a'
          throw new Error('no')
        })()}`,
    ],
    ['a value that is refused', () => template`<p onclick=${later('x')}>`],
  ])('%s that fails breaks the stream', async (_, make) => {
    await expect(make().text()).rejects.toThrow(/^no$|expected raw/)
    await expect(html(make()).text()).rejects.toThrow(/^no$|expected raw/)
  })

  test.each([
    ['is never sent', () => template`${Promise.reject(new Error('no'))}`],
    ['is dropped', () => html(template`${Promise.reject(new Error('no'))}`).body?.cancel()],
    ['is dropped, with a value that is refused later', () => html(template`${later(() => 'a')}`).body?.cancel()],
  ])('a promise that fails in markup that %s is not an unhandled rejection', async (_, make) => {
    const seen: unknown[] = []
    const listen = (error: unknown): void => void seen.push(error)
    process.on('unhandledRejection', listen)
    await make()
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', listen)
    expect(seen).toEqual([])
  })
})

describe.each([
  ['a template', (content: unknown) => template`<p>a${later('b')}${content}</p>`],
  ['JSX', (content: unknown) => jsx('p', { children: ['a', later('b'), content] })],
])('MX16: a dropped response of %s ends its sources', (_, make) => {
  /** Something open, which remembers that it was ended. */
  const open = (): { readonly source: ReadableStream; isEnded: boolean } => {
    const end = (): void => {
      opened.isEnded = true
    }
    const opened = { source: new ReadableStream({ cancel: end }), isEnded: false }
    return opened
  }

  test.each([
    ['itself', (source: unknown) => source],
    ['in a promise', later],
    ['in a list in a promise', (source: unknown) => later(['a', source])],
    ['in a promise of a promise', (source: unknown) => later([later(source)])],
    ['in markup in a promise', (source: unknown) => later(template`<b>${source}</b>`)],
    ['in an asynchronous component', (source: unknown) => jsx(async () => later(jsx('b', { children: source })), {})],
  ])('%s, before it was read and while it is read', async (_title, place) => {
    const [unread, reading] = [open(), open()]
    await html(make(place(unread.source))).body!.cancel()
    const reader = html(make(place(reading.source))).body!.getReader()
    await reader.read()
    await reader.cancel()
    await vi.waitFor(() =>
      expect({ unread: unread.isEnded, reading: reading.isEnded }).toEqual({ unread: true, reading: true }),
    )
  })
})
