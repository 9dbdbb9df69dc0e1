import { Readable, Writable } from 'node:stream'
import busboy from 'busboy'
import fc from 'fast-check'
import formidable from 'formidable'
import { describe, expect, test } from 'vitest'
import { lastSegment } from '../../src/internal/body/form-record.ts'
import { readForm } from '../../src/internal/body/read-form.ts'
import { readParts } from '../../src/read/parts.ts'
import { runs } from '../fuzz.ts'

/** Field name, file name (`undefined` on a field), content as text. */
type Seen = readonly [name: string, filename: string | undefined, content: string]

/** What a parser makes of a form; nothing where it refuses. */
type Parser = (body: Uint8Array, type: string) => Promise<Seen[] | undefined>

const byBusboy: Parser = (body, type) =>
  new Promise((resolve) => {
    const seen: Seen[] = []
    const refuse = () => resolve(undefined)
    try {
      const parser = busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8' })
      parser.on('field', (name, value) => seen.push([name, undefined, value]))
      parser.on('file', (name, stream, { filename }) => {
        const at = seen.push([name, filename ?? '', '']) - 1
        const chunks: Buffer[] = []
        stream.on('data', (chunk) => chunks.push(chunk))
        stream.on('end', () => {
          seen[at] = [name, filename ?? '', Buffer.concat(chunks).toString()]
        })
        stream.on('error', refuse)
      })
      parser.on('error', refuse)
      parser.on('close', () => resolve(seen))
      parser.end(body)
    } catch {
      refuse()
    }
  })

const byFormidable: Parser = async (body, type) => {
  const seen: Seen[] = []
  const parser = formidable({
    fileWriteStreamHandler: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
  })
  parser.onPart = (part) => {
    const chunks: Buffer[] = []
    const at = seen.push(['', undefined, '']) - 1
    part.on('data', (chunk) => chunks.push(chunk))
    part.on('end', () => {
      seen[at] = [part.name ?? '', part.originalFilename ?? undefined, Buffer.concat(chunks).toString()]
    })
  }
  const request = Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { 'content-type': type, 'content-length': String(body.length) },
  })
  try {
    await parser.parse(request as never)
    return seen
  } catch {
    return undefined
  }
}

/** Both wait for ever on some damaged forms: what has not settled after so many turns of the event loop is refused. */
const bounded =
  (parse: Parser): Parser =>
  async (body, type) => {
    let seen: Seen[] | undefined
    let settled = false
    parse(body, type).then((found) => {
      seen = found
      settled = true
    })
    for (let turn = 0; turn < 100 && !settled; turn++) await new Promise((resolve) => setImmediate(resolve))
    return seen
  }

const byReadForm: Parser = async (body, type) => {
  try {
    const entries = await readForm(body, type, {})
    return await Promise.all(
      entries.map(
        async ([name, value]): Promise<Seen> =>
          typeof value === 'string' ? [name, undefined, value] : [name, lastSegment(value.name), await value.text()],
      ),
    )
  } catch (error) {
    if ((error as { status?: number }).status === 400) return undefined
    throw error
  }
}

const byReadParts: Parser = async (body, type) => {
  const request = new Request('http://h/', { method: 'POST', body: body.slice(), headers: { 'content-type': type } })
  const seen: Seen[] = []
  try {
    for await (const part of readParts(request)) seen.push([part.name, part.filename, await part.text()])
    return seen
  } catch (error) {
    if ((error as { status?: number }).status === 400) return undefined
    throw error
  }
}

const CRLF = '\r\n'
const text = fc.string({ unit: fc.constantFrom(...'ab1 -_.;=:,/%"\'ü€'), minLength: 1, maxLength: 8 })
const token = fc.string({ unit: fc.constantFrom(...'ab1-_.'), minLength: 1, maxLength: 8 })
const content = fc.array(fc.constantFrom('x', 'ü', CRLF, '\r', '\n', '-', '--', '--b', `${CRLF}--`, ' '), {
  maxLength: 8,
})

/** How clients write a value: the text, and what a reader must make of it. */
const quoted = text.map((value) => [`"${value.replaceAll('"', '%22')}"`, value] as const)
/** A quote before a semicolon may also close the value: the browsers' reading, which escapes nothing, counts there. */
const unambiguous = text.filter((value) => !/" *;/.test(value))
const escaped = unambiguous.map((value) => [`"${value.replaceAll('"', '\\"')}"`, value] as const)
const plain = token.map((value) => [value, value] as const)
const backslashed = token.map((value) => [`"a\\${value}"`, `a\\${value}`] as const)

interface Written {
  readonly header: string
  readonly name: string
  readonly filename: string | undefined
  readonly content: string
}

const extended = (value: string): string => `filename*=utf-8''${encodeURIComponent(value).replaceAll("'", '%27')}`

/** One part, in the style of one client or another. */
const part = (values: fc.Arbitrary<readonly [string, string]>): fc.Arbitrary<Written> =>
  fc
    .record({
      name: values,
      filename: fc.option(values, { nil: undefined }),
      style: fc.constantFrom('filename', 'filename*', 'both'),
      reversed: fc.boolean(),
      field: fc.constantFrom('Content-Disposition: ', 'content-disposition:', 'CONTENT-DISPOSITION:  '),
      between: fc.constantFrom('; ', ';', ' ; ', `;${CRLF} `),
      more: fc.subarray(['Content-Type: text/plain', 'X-A: b', 'Content-Length: 1']),
      content,
    })
    .map(({ name, filename, style, reversed, field, between, more, content }) => {
      const names = filename
        ? [
            ...(style === 'filename*' ? [] : [`filename=${filename[0]}`]),
            ...(style === 'filename' ? [] : [extended(filename[1])]),
          ]
        : []
      const params = [`name=${name[0]}`, ...names]
      if (reversed) params.reverse()
      const lines = [`${field}form-data${between}${params.join(between)}`, ...more]
      return {
        header: lines.join(CRLF),
        name: name[1],
        filename: filename && lastSegment(filename[1]),
        content: content.join(''),
      }
    })

interface Form {
  readonly body: Uint8Array
  readonly type: string
  readonly truth: readonly Seen[]
}

const BOUNDARY = 'bbbb'

const formOf = (values: fc.Arbitrary<readonly [string, string]>): fc.Arbitrary<Form> =>
  fc
    .record({
      parts: fc.array(part(values), { minLength: 1, maxLength: 4 }),
      preamble: fc.constantFrom('', 'hello\r\n', '\r\n', '--bbb\r\n'),
      epilogue: fc.constantFrom('', CRLF, `${CRLF}bye`, `${CRLF}--x${CRLF}`),
      type: fc.constantFrom(
        `multipart/form-data; boundary=${BOUNDARY}`,
        `multipart/form-data; boundary="${BOUNDARY}"`,
        `Multipart/Form-Data;charset=utf-8;Boundary=${BOUNDARY}`,
      ),
    })
    .map(({ parts, preamble, epilogue, type }) => {
      const written = parts.map(({ header, content }) => `--${BOUNDARY}${CRLF}${header}${CRLF}${CRLF}${content}${CRLF}`)
      const body = `${preamble}${written.join('')}--${BOUNDARY}--${epilogue}`
      const truth = parts.map(({ name, filename, content }): Seen => [name, filename, content])
      return { body: new TextEncoder().encode(body), type, truth }
    })

describe('P12: whatever clients write is read as they meant it', () => {
  test.each([
    ['names in quotes', quoted],
    ['names with escaped quotes', escaped],
    ['names without quotes', plain],
    ['names with backslashes', backslashed],
  ])('%s', async (_, values) => {
    await fc.assert(
      fc.asyncProperty(formOf(values), async ({ body, type, truth }) => {
        expect(await byReadForm(body, type)).toEqual(truth)
        expect(await byReadParts(body, type)).toEqual(truth)
      }),
      { numRuns: runs(300, 4) },
    )
  })
})

/** Names and contents; `%22` is a quote to us, as browsers mean it, and stays as it is to the two packages in names. */
const compared = (seen: readonly Seen[] | undefined): unknown =>
  seen?.map(([name, , content]) => [name?.replaceAll('"', '%22'), content])

const clients = formOf(fc.oneof(quoted, plain))

describe('P12: what busboy and formidable accept is accepted, and means the same', () => {
  test('busboy: names, file names and contents of forms that clients write', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(clients, async ({ body, type }) => {
        const seen = await bounded(byBusboy)(body, type)
        if (!seen) return
        const ours = await byReadForm(body, type)
        expect(compared(ours)).toEqual(compared(seen))
        expect(ours!.map(([, filename]) => filename?.replaceAll('"', '%22'))).toEqual(
          seen.map(([, filename]) => filename?.replaceAll('"', '%22')),
        )
        accepted++
      }),
      { numRuns: runs(500, 4) },
    )
    expect(accepted).toBeGreaterThan(runs(400, 4))
  })

  test('formidable, which does not know filename*: names and contents', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(clients, async ({ body, type }) => {
        const seen = await bounded(byFormidable)(body, type)
        if (!seen) return
        expect(compared(await byReadForm(body, type))).toEqual(compared(seen))
        accepted++
      }),
      { numRuns: runs(500, 4) },
    )
    expect(accepted).toBeGreaterThan(runs(100, 4))
  })

  /** Busboy leaves a part out that it cannot read, and formidable gives it no name. Here such a form is refused. */
  test('damaged forms that both read in one way; readParts and bodyParser always agree', async () => {
    let accepted = 0
    const piece = fc.constantFrom('', CRLF, '\r', '"', '\\', ';', '-', ' ', ':', '=', 'x', '\t', '%22', ',')
    const damages = fc.array(fc.tuple(fc.nat(400), fc.nat(3), piece), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(clients, damages, async ({ body, type }, edits) => {
        let text = Buffer.from(body).toString('latin1')
        for (const [at, count, more] of edits) {
          const from = at % text.length
          text = text.slice(0, from) + more + text.slice(from + count)
        }
        const damaged = new Uint8Array(Buffer.from(text, 'latin1'))
        const ours = await byReadForm(damaged, type)
        expect(await byReadParts(damaged, type)).toEqual(ours)
        // The two look less closely at a damaged filename*.
        if (/\*=(?!utf-8''[^\s'";]*(?:;|\r))/i.test(text)) return
        const busboys = compared(await bounded(byBusboy)(damaged, type))
        const formidables = compared(await bounded(byFormidable)(damaged, type))
        if (!busboys || JSON.stringify(busboys) !== JSON.stringify(formidables)) return
        expect(compared(ours), text).toEqual(busboys)
        accepted++
      }),
      { numRuns: runs(1000, 4) },
    )
    expect(accepted).toBeGreaterThan(runs(40, 4))
  })
})
