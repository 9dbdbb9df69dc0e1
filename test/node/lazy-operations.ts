import fc from 'fast-check'
import { createResponse } from '#runtime/core'

/** What an operation shows: a value, or the class of an error. */
const see = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return `throws ${(error as Error).constructor.name}`
  }
}

const seeLater = async (run: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    return `rejects ${(error as Error).constructor.name}`
  }
}

const NAMES = ['a', 'A', 'b', 'content-type', 'Set-Cookie', 'cookie', 'vary', 'é', 'a b', '', 'a\n']
const VALUES = ['', '1', ' 2 ', 'x, y', 'text/plain; Charset=UTF-8', 'TEXT/html;a="b c"', 'é', '☃', 'a\r\nb', '\t3\n']
const name = fc.constantFrom(...NAMES)
const value = fc.constantFrom<unknown>(...VALUES, 1, null, undefined)

/** An operation on headers; `walk` changes them in the middle of an iteration. */
const headersOperation = fc.oneof(
  fc.record({ do: fc.constantFrom('append', 'set'), name, value }),
  fc.record({ do: fc.constantFrom('get', 'has', 'delete'), name }),
  fc.record({
    do: fc.constantFrom('getSetCookie', 'entries', 'keys', 'values', 'forEach', 'spread', 'copy', 'own', 'misuse'),
  }),
  fc.record({
    do: fc.constant('walk'),
    at: fc.nat(3),
    edit: fc.record({ do: fc.constantFrom('append', 'set', 'delete'), name, value }),
  }),
)

type HeadersOperation = Readonly<Record<string, any>> // operations differ in their members

const seeHeaders = (headers: any, operation: HeadersOperation): unknown =>
  see(() => {
    const { do: method, name, value } = operation
    if (method === 'append' || method === 'set') return headers[method](name, value)
    if (method === 'get' || method === 'has' || method === 'delete') return headers[method](name)
    if (method === 'getSetCookie') return headers.getSetCookie()
    if (method === 'spread') return [...headers]
    if (method === 'copy') return [...new Headers(headers)]
    if (method === 'own') return [Object.keys(headers), { ...headers }, JSON.stringify(headers)]
    if (method === 'misuse')
      return [see(() => headers.set('a')), see(() => headers.append('a')), see(() => headers.forEach(1))]
    if (method === 'forEach') {
      const seen: unknown[] = []
      headers.forEach((one: string, key: string, all: unknown) => {
        seen.push([key, one, all === headers])
      })
      return seen
    }
    if (method !== 'walk') {
      const walk = headers[method]()
      return [walk[Symbol.iterator]() === walk, [...walk], walk.next()]
    }
    const seen: unknown[] = []
    for (const pair of headers) {
      seen.push(pair)
      if (seen.length === operation.at + 1) seen.push(seeHeaders(headers, operation.edit))
      if (seen.length > 30) break
    }
    return seen
  })

/** An operation on a response. */
const responseOperation = fc.oneof(
  fc.record({ do: fc.constantFrom('status', 'statusText', 'ok', 'type', 'url', 'redirected', 'bodyUsed', 'locked') }),
  fc.record({ do: fc.constantFrom('text', 'json', 'arrayBuffer', 'blob', 'formData') }),
  fc.record({ do: fc.constantFrom('read source', 'read body', 'lock body', 'clone', 'same body', 'around') }),
  fc.record({ do: fc.constant('assign'), member: fc.constantFrom('status', 'ok', 'headers', 'body', 'bodyUsed') }),
  fc.record({ do: fc.constant('headers'), operation: headersOperation }),
)

const pairs = fc.array(
  fc.oneof(fc.tuple(name, value), fc.tuple(name, value), fc.tuple(name), fc.tuple(name, value, value)),
  { maxLength: 4 },
)
const body = fc.constantFrom('null', 'text', 'mark', 'json', 'form', 'bytes', 'stream', 'used stream', 'locked stream')
const TEXTS: Readonly<Record<string, string>> = { text: 'hi', mark: '\ufeffhi', json: '{"a":1}', form: 'a=b&c=d' }

/** A response, and what is done to it. */
export const story = fc.record({
  body,
  status: fc.constantFrom<unknown>(200, 201, 299, 300, 404, 599, 199, 600, 0, '200', 200.5),
  pairs: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: pairs }),
  operations: fc.array(responseOperation, { maxLength: 8 }),
})

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

const bodyOf = async (kind: string): Promise<any> => {
  if (kind === 'null') return null
  if (TEXTS[kind] !== undefined) return TEXTS[kind]
  if (kind === 'bytes') return new TextEncoder().encode('{"a":1}')
  const stream = new Response('{"a":1}').body!
  if (kind !== 'stream') {
    const reader = stream.getReader()
    if (kind === 'used stream') {
      await reader.read()
      reader.releaseLock()
    }
  }
  return stream
}

const readSome = async (stream: ReadableStream | null): Promise<unknown> => {
  if (!stream) return 'no stream'
  const reader = stream.getReader()
  const { done, value } = await reader.read()
  reader.releaseLock()
  return [done, value && new TextDecoder().decode(value)]
}

/** A platform response made as the helpers make theirs: a text has no type of its own. */
const asPlatform = (body: any, status: any, headers: any): Response => {
  const response = new Response(typeof body === 'string' ? new TextEncoder().encode(body) : body, { status, headers })
  return response
}
const asHelper = (body: any, status: any, headers: any): Response =>
  createResponse(body, undefined, { status, headers })

const observe = async (make: typeof asPlatform, { body, status, pairs, operations }: Story): Promise<unknown[]> => {
  const source = await bodyOf(body)
  let response: any
  const seen: unknown[] = []
  const made = see(() => {
    response = make(source, status, pairs)
    return 'made'
  })
  // Of several faults either may be told first.
  seen.push(pairs.length ? made === 'made' : made)
  if (made !== 'made') return seen
  for (const operation of operations) {
    const step = operation.do
    if (step === 'headers') seen.push(seeHeaders(response.headers, (operation as any).operation))
    else if (step === 'locked') seen.push(see(() => response.body?.locked ?? null))
    else if (step === 'same body') seen.push(see(() => Object.is(response.body, response.body)))
    else if (step === 'read source')
      seen.push(source instanceof ReadableStream && (await seeLater(() => readSome(source))))
    else if (step === 'read body') seen.push(await seeLater(() => readSome(response.body)))
    else if (step === 'lock body') seen.push(see(() => Boolean(response.body?.getReader())))
    else if (step === 'assign') seen.push(see(() => Reflect.set(response, (operation as any).member, 404)))
    else if (step === 'around') seen.push(see(() => new Response(null, response).status))
    else if (step === 'clone') {
      const copy = see(() => response.clone()) as any
      if (typeof copy === 'string') seen.push(copy)
      else seen.push([copy.status, await seeLater(() => copy.text()), [...copy.headers]])
    } else if (step === 'arrayBuffer') {
      seen.push(await seeLater(async () => [...new Uint8Array(await response.arrayBuffer())]), response.bodyUsed)
    } else if (step === 'blob') {
      seen.push(await seeLater(() => response.blob().then(async (blob: Blob) => [blob.type, await blob.text()])))
    } else if (step === 'formData') {
      seen.push(await seeLater(() => response.formData().then((form: FormData) => [...form])))
    } else if (step === 'text' || step === 'json') seen.push(await seeLater(() => response[step]()), response.bodyUsed)
    else seen.push(response[step])
  }
  return seen
}

/** What the helper's response and the platform's show in the same story. */
export const observeBoth = (one: Story): Promise<[unknown[], unknown[]]> =>
  Promise.all([observe(asHelper, one), observe(asPlatform, one)])
