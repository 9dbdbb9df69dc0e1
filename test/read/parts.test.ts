import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Context } from '../../src/internal/types/context.ts'
import { readForm } from '../../src/read/form.ts'
import { type PartLimits, readParts } from '../../src/read/parts.ts'
import { readText } from '../../src/read/text.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A request whose body comes in pieces of this size. */
const requestOf = (body: string | Uint8Array, size = 65_536, type = 'multipart/form-data; boundary=b') => {
  const bytes = typeof body === 'string' ? encode(body) : body
  const cancelled = vi.fn()
  const pulled = vi.fn()
  let at = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled()
        if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
        else controller.close()
        at += size
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  const init = { method: 'POST', body: stream, headers: { 'content-type': type }, duplex: 'half' }
  return { request: new Request('http://localhost/', init), cancelled, pulled }
}

const part = (header: string, content: string): string => `--b\r\n${header}\r\n\r\n${content}\r\n`
const field = (name: string, content: string): string => part(`content-disposition: form-data; name="${name}"`, content)
const file = (name: string, filename: string, content: string): string =>
  part(`content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: text/x-test`, content)

/** Everything in a form, or the status of what it is refused with. */
const readAll = async (request: Request, limits?: PartLimits): Promise<unknown> => {
  const seen: unknown[] = []
  try {
    for await (const { name, filename, type, ...rest } of readParts(request, limits)) {
      seen.push({ name, filename, type, text: await rest.text() })
    }
    return seen
  } catch (error) {
    if (error instanceof Error && 'status' in error) return error.status
    throw error
  }
}

describe.each([1, 2, 3, 7, 64, 65_536])('in pieces of %i bytes', (size) => {
  test.each<[string, string, unknown]>([
    [
      'fields and files',
      `${field('a', '1')}${file('f', 'x.txt', 'content')}--b--\r\n`,
      [
        { name: 'a', filename: undefined, type: 'text/plain', text: '1' },
        { name: 'f', filename: 'x.txt', type: 'text/x-test', text: 'content' },
      ],
    ],
    ['an empty form', '--b--\r\n', []],
    ['an empty content', `${field('a', '')}--b--`, [{ name: 'a', filename: undefined, type: 'text/plain', text: '' }]],
    [
      'what comes before and after is left out',
      `hello\r\n${field('a', '1')}--b--\r\nbye --b`,
      [{ name: 'a', filename: undefined, type: 'text/plain', text: '1' }],
    ],
    [
      'a file without a type',
      `${part('content-disposition: form-data; name="f"; filename="x"', '')}--b--`,
      [{ name: 'f', filename: 'x', type: 'application/octet-stream', text: '' }],
    ],
    [
      'header names and values in any case',
      `${part('CONTENT-DISPOSITION: Form-Data; Name=a', '1')}--b--`,
      [{ name: 'a', filename: undefined, type: 'text/plain', text: '1' }],
    ],
    [
      'white space after a delimiter',
      `--b \t\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--`,
      [{ name: 'a', filename: undefined, type: 'text/plain', text: '1' }],
    ],
    [
      'content that looks like a delimiter',
      `${field('a', '\r\n-\r\n--\r\n--a\r--b\n--b\r\n --b--')}--b--`,
      [{ name: 'a', filename: undefined, type: 'text/plain', text: '\r\n-\r\n--\r\n--a\r--b\n--b\r\n --b--' }],
    ],
    [
      'text of several bytes a character',
      `${field('grüße', '世界 👋')}--b--`,
      [{ name: 'grüße', filename: undefined, type: 'text/plain', text: '世界 👋' }],
    ],
    [
      'what browsers escape in names',
      `${file('a%22b', 'c%0D%0Ad%22.txt', '')}--b--`,
      [{ name: 'a"b', filename: 'cd".txt', type: 'text/x-test', text: '' }],
    ],
    [
      'names of Object.prototype',
      `${field('__proto__', '1')}${field('constructor', '2')}--b--`,
      [
        { name: '__proto__', filename: undefined, type: 'text/plain', text: '1' },
        { name: 'constructor', filename: undefined, type: 'text/plain', text: '2' },
      ],
    ],
    [
      'P12: filename* is a file name, and counts before filename',
      [
        part(`content-disposition: form-data; name="a"; filename*=UTF-8''x.txt`, '1'),
        part(
          `content-disposition: form-data; name=b; filename="=?utf-8?B?w7wudHh0?="; filename*=utf-8''%C3%BC.txt`,
          '2',
        ),
        part(`content-disposition: form-data; name="c"; filename*=utf-8'en'y.txt; filename="x.txt"`, '3'),
        '--b--',
      ].join(''),
      [
        { name: 'a', filename: 'x.txt', type: 'application/octet-stream', text: '1' },
        { name: 'b', filename: 'ü.txt', type: 'application/octet-stream', text: '2' },
        { name: 'c', filename: 'y.txt', type: 'application/octet-stream', text: '3' },
      ],
    ],
    [
      'P12: filename* that cannot be decoded leaves filename, or stays as it is',
      [
        part(`content-disposition: form-data; name="a"; filename="x"; filename*=utf-8''%FF`, '1'),
        part(`content-disposition: form-data; name="b"; filename="x"; filename*=koi8-r''%FF`, '2'),
        part(`content-disposition: form-data; name="c"; filename*=y`, '3'),
        '--b--',
      ].join(''),
      [
        { name: 'a', filename: 'x', type: 'application/octet-stream', text: '1' },
        { name: 'b', filename: 'x', type: 'application/octet-stream', text: '2' },
        { name: 'c', filename: 'y', type: 'application/octet-stream', text: '3' },
      ],
    ],
    [
      'P12: names without quotes, as .NET sends them',
      [
        part('Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=title', 'T'),
        part("Content-Disposition: form-data; name=f; filename=x.txt; filename*=utf-8''x.txt", 'F'),
        '--b--\r\n',
      ].join(''),
      [
        { name: 'title', filename: undefined, type: 'text/plain; charset=utf-8', text: 'T' },
        { name: 'f', filename: 'x.txt', type: 'application/octet-stream', text: 'F' },
      ],
    ],
    [
      'P12: filename before name, space around parameters, a semicolon at the end',
      `${part('content-disposition:form-data ;filename="x" ; name="f";', '1')}--b--`,
      [{ name: 'f', filename: 'x', type: 'application/octet-stream', text: '1' }],
    ],
    [
      'P12: backslashes in names stay, and one before a quote escapes it',
      `${field('a\\b\\\\c', '1')}${field('d\\"e', '2')}${field('f\\', '3')}${field('g"h', '4')}--b--`,
      [
        { name: 'a\\b\\\\c', filename: undefined, type: 'text/plain', text: '1' },
        { name: 'd"e', filename: undefined, type: 'text/plain', text: '2' },
        { name: 'f\\', filename: undefined, type: 'text/plain', text: '3' },
        { name: 'g"h', filename: undefined, type: 'text/plain', text: '4' },
      ],
    ],
    [
      'P12: a header that goes on in the next line',
      `${part('content-disposition: form-data;\r\n name="a";\r\n\tfilename="x"', '1')}--b--`,
      [{ name: 'a', filename: 'x', type: 'application/octet-stream', text: '1' }],
    ],
  ])('MB9: %s', async (_, body, expected) => {
    expect(await readAll(requestOf(body, size).request)).toEqual(expected)
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['no delimiter', 'hello'],
    ['another boundary', '--c\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--c--'],
    ['an end in the header', '--b\r\ncontent-disposition: form-'],
    ['an end in the content', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1'],
    ['an end after the content', field('a', '1')],
    ['an end in the last delimiter', `${field('a', '1')}--b-`],
    ['a part without a name', `${part('content-disposition: form-data', '1')}--b--`],
    ['a part without a header', `--b\r\n\r\n\r\n1\r\n--b--`],
    ['a part that is no form data', `${part('content-disposition: attachment; name="a"', '1')}--b--`],
    ['a broken header', `${part('content-disposition: form-data; name="a', '1')}--b--`],
    ['text after the type', `${part('content-disposition: form-data x; name="a"', '1')}--b--`],
    ['text after a name', `${part('content-disposition: form-data; name="a" x', '1')}--b--`],
    ['a parameter without a value', `${part('content-disposition: form-data; name="a"; x', '1')}--b--`],
    ['text after a delimiter', '--bx\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--'],
  ])('MB5: %s is refused', async (_, body) => {
    expect(await readAll(requestOf(body, size).request)).toBe(400)
  })
})

describe('names of files', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\dir\\a.txt', 'a.txt'],
    ['C:\\\\dir\\\\a.txt', 'a.txt'],
    ['a\\', ''],
    ['..', ''],
    ['.', ''],
    ['a/..', ''],
    ['.env', '.env'],
    ['a\u0000b\u001f.txt', 'ab.txt'],
    ['', ''],
  ])('%j is %j', async (given, expected) => {
    const seen = (await readAll(requestOf(`${file('f', given, '')}--b--`).request)) as { filename: string }[]
    expect(seen[0]!.filename).toBe(expected)
  })
})

describe('limits', () => {
  const form = `${field('a', '12345')}${field('b', '1')}${file('f', 'x', '1234567890')}${file('g', 'y', '1')}--b--`

  test.each<[PartLimits, boolean]>([
    [{}, true],
    [{ fields: 2 }, true],
    [{ fields: 1 }, false],
    [{ files: 2 }, true],
    [{ files: 1 }, false],
    [{ fieldSize: 5 }, true],
    [{ fieldSize: 4 }, false],
    [{ fileSize: 10 }, true],
    [{ fileSize: 9 }, false],
    [{ headerPairs: 2 }, true],
    [{ headerPairs: 1 }, false],
    [{ headerSize: 100 }, true],
    [{ headerSize: 60 }, false],
  ])('MB9: %j', async (limits, passes) => {
    for (const size of [1, 5, 65_536]) {
      const seen = await readAll(requestOf(form, size).request, limits)
      if (passes) expect(seen).toHaveLength(4)
      else expect(seen).toBe(413)
    }
  })

  test('a header without an end is refused before it fills the memory, and the body is cancelled', async () => {
    const { request, cancelled } = requestOf(`--b\r\nx: ${'y'.repeat(1_000_000)}`, 1000)
    expect(await readAll(request)).toBe(413)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test.each([
    ['of 70 characters', 'x'.repeat(70), []],
    ['of one more', 'x'.repeat(71), 400],
    ['with a control character', 'a\tb', 400],
    ['in quotes with a space', 'a b', []],
  ])('a boundary %s', async (_, boundary, expected) => {
    expect(
      await readAll(requestOf(`--${boundary}--`, 65_536, `multipart/form-data; boundary="${boundary}"`).request),
    ).toEqual(expected)
  })

  test.each([
    ['no boundary', 'multipart/form-data', 400],
    ['another type', 'application/json', 415],
    ['two types', 'multipart/form-data; boundary=b, text/plain', 415],
    ['multipart of another kind', 'multipart/mixed; boundary=b', 415],
  ])('%s', async (_, type, status) => {
    expect(await readAll(requestOf('--b--', 65_536, type).request)).toBe(status)
  })

  test('no type and no body', async () => {
    expect(await readAll(new Request('http://localhost/', { method: 'POST' }))).toBe(415)
    const empty = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(await readAll(empty)).toBe(400)
  })
})

describe('reading', () => {
  test.each<[string, (ctx: Context) => Promise<unknown>]>([
    ['as text', readText],
    ['as a form', readForm],
    ['twice', async (ctx) => [await readText(ctx), await readText(ctx)]],
  ])('a form that was read before, %s, can be read in parts', async (_, read) => {
    const body = `${field('a', '1')}${file('f', 'x.txt', 'content')}--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const app = createApp().post('/', async (ctx) => {
      await read(ctx)
      return ctx.json(await readAll(ctx.request))
    })
    expect(await (await app.request('/', { method: 'POST', body, headers })).json()).toEqual([
      { name: 'a', type: 'text/plain', text: '1' },
      { name: 'f', filename: 'x.txt', type: 'text/x-test', text: 'content' },
    ])
  })

  test('unread content of a part is skipped', async () => {
    const body = `${file('f', 'x', 'y'.repeat(100_000))}${field('a', '1')}--b--`
    const names: string[] = []
    for await (const { name } of readParts(requestOf(body, 1000).request)) names.push(name)
    expect(names).toEqual(['f', 'a'])
  })

  test('leaving a part early skips the rest of the part, not of the form', async () => {
    const body = `${file('f', 'x', 'y'.repeat(100_000))}${field('a', '1')}--b--`
    const seen: unknown[] = []
    for await (const each of readParts(requestOf(body, 1000).request)) {
      for await (const piece of each) {
        seen.push({ name: each.name, hasBytes: piece.byteLength > 0 })
        break
      }
    }
    expect(seen).toEqual([
      { name: 'f', hasBytes: true },
      { name: 'a', hasBytes: true },
    ])
  })

  test('leaving the form cancels the body', async () => {
    const { request, cancelled, pulled } = requestOf(
      `${field('a', '1')}${file('f', 'x', 'y'.repeat(1_000_000))}--b--`,
      100,
    )
    for await (const each of readParts(request)) {
      expect(each.name).toBe('a')
      break
    }
    expect(cancelled).toHaveBeenCalledOnce()
    expect(pulled.mock.calls.length).toBeLessThan(10)
  })

  test.each<[string, PartLimits | undefined, unknown]>([
    ['to its end', undefined, [{ name: 'a', filename: undefined, type: 'text/plain', text: '12' }]],
    ['up to a limit', { fieldSize: 1 }, 413],
  ])('a form is read %s while nobody reads a copy of the request', async (_, limits, expected) => {
    const { request } = requestOf(`${field('a', '12')}--b--\r\n${'epilogue'.repeat(100)}`, 100)
    request.clone()
    expect(await readAll(request, limits)).toEqual(expected)
    expect(request.body?.locked).toBe(false)
  })

  test('the body is read no faster than its parts', async () => {
    const { request, pulled } = requestOf(`${file('f', 'x', 'y'.repeat(1_000_000))}--b--`, 1000)
    for await (const each of readParts(request)) {
      const reader = each.stream().getReader()
      await reader.read()
      const before = pulled.mock.calls.length
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(pulled.mock.calls.length).toBeLessThanOrEqual(before + 1)
      break
    }
  })

  test('a file of 16 MiB passes through in small memory', async () => {
    const piece = new Uint8Array(65_536).fill(13)
    let left = 256
    const head = encode('--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\n')
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(head),
        pull(controller) {
          left--
          if (left >= 0) controller.enqueue(piece)
          else {
            controller.enqueue(encode('\r\n--b--'))
            controller.close()
          }
        },
      },
      { highWaterMark: 0 },
    )
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      duplex: 'half',
    }
    let size = 0
    let largest = 0
    for await (const each of readParts(new Request('http://localhost/', init))) {
      for await (const bytes of each) {
        size += bytes.byteLength
        largest = Math.max(largest, bytes.byteLength)
      }
    }
    expect(size).toBe(16 * 1_048_576)
    expect(largest).toBeLessThan(70_000)
  })

  test('time is linear in a body of line breaks', async () => {
    await expectLinear(
      800_000,
      (size) => `${field('a', '\r\n--'.repeat(size / 4))}--b--`,
      (body) => readAll(requestOf(body).request),
    )
  })

  test('it reads what the platform writes, in pieces of any size', async () => {
    const entry = fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), fc.boolean())
    const clean = (text: string): string => text.replace(/[\r\n"\\/]/g, '_')
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), async (entries, size) => {
        const form = new FormData()
        const expected: unknown[] = []
        for (const [key, content, isFile] of entries) {
          const name = clean(key)
          // A form's text has the line breaks of its own.
          const text = content.replace(/\r\n?|\n/g, '\r\n')
          if (isFile) form.append(name, new File([text], 'x.bin', { type: 'a/b' }))
          else form.append(name, text)
          expected.push({ name, filename: isFile ? 'x.bin' : undefined, type: isFile ? 'a/b' : 'text/plain', text })
        }
        const written = new Response(form)
        const bytes = new Uint8Array(await written.arrayBuffer())
        expect(await readAll(requestOf(bytes, size, written.headers.get('content-type')!).request)).toEqual(expected)
      }),
      { numRuns: runs(300, 4) },
    )
  })

  test('bytes of any kind give a form or a refusal, nothing else', async () => {
    const piece = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\r',
      '\n',
      'content-disposition: form-data; name="a"',
      '; filename="x"',
      ':',
      'x',
      '\0',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(piece, fc.string()), { maxLength: 15 }),
        fc.integer({ min: 1, max: 30 }),
        async (pieces, size) => {
          const seen = await readAll(requestOf(pieces.join(''), size).request)
          expect(Array.isArray(seen) || seen === 400 || seen === 413).toBe(true)
        },
      ),
      { numRuns: runs(1000) },
    )
  })
})

describe('bad limits, which would mean no limit', () => {
  test.each<[object, string]>([
    [{ fileSize: Number.NaN }, 'readParts: fileSize: expected a number from 0, got NaN'],
    [{ fileSize: '5mb' }, 'readParts: fileSize: expected a number from 0, got "5mb"'],
    [{ fields: -1 }, 'readParts: fields: expected a number from 0, got -1'],
    [{ headerSize: Number(undefined) }, 'readParts: headerSize: expected a number from 0, got NaN'],
    [{ fileSizes: 10 }, 'readParts: fileSizes: unknown option, did you mean "fileSize"?'],
    [{ limit: 10 }, 'readParts: limit: unknown option, expected one of fields, files, '],
    [10 as never, 'readParts: expected an object of options, got "Number"'],
  ])('%j is refused', async (limits, message) => {
    const { request } = requestOf('--x--', 1000)
    await expect(readParts(request, limits).next()).rejects.toThrow(message)
  })

  test.each<object>([{}, { fileSize: undefined }, { fileSize: Number.POSITIVE_INFINITY, files: 1 }])(
    '%j is fine',
    async (limits) => {
      const { request } = requestOf('--x--', 1000)
      await expect(readParts(request, limits).next()).rejects.not.toThrow('readParts')
    },
  )
})
