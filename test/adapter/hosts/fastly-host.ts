/**
 * What a program that `js-compute-runtime` has compiled needs of Fastly's host for one request and its response: the
 * calls of https://github.com/fastly/Viceroy/tree/main/wasm_abi/compute-at-edge-abi, over buffered bodies. Every other
 * call answers that it is not supported. Fastly's own host, Viceroy, is not in npm: its tool downloads it.
 */
import { WASI } from 'node:wasi'

/** Status codes of the ABI. */
const [OK, BAD_HANDLE, TOO_SHORT, UNSUPPORTED, NONE] = [0, 3, 4, 5, 10]
/** What `select` says of a timer that has run out. */
const NO_HANDLE = 0xffff_ffff

/** A message: a request or a response. */
interface Message {
  method: string
  uri: string
  status: number
  readonly fields: [string, string][]
}
interface Client {
  readonly client: string
  readonly server: string
}

const octets = (address: string): Uint8Array => Uint8Array.from(address.split('.'), Number)

/** Handle one request with a compiled program. @returns its response */
export const runOnFastly = async (
  program: WebAssembly.Module,
  request: Request,
  { client, server }: Client,
): Promise<Response> => {
  const messages: Message[] = []
  const bodies: Uint8Array[][] = []
  const add = <T>(list: T[], one: T): number => list.push(one) - 1
  const asked = add(messages, {
    method: request.method,
    uri: request.url,
    status: 0,
    fields: [...request.headers],
  })
  const received = add(bodies, [new Uint8Array(await request.arrayBuffer())])
  let answer: { readonly message: Message; readonly chunks: Uint8Array[] } | undefined

  let memory: WebAssembly.Memory
  const view = () => new DataView(memory.buffer)
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length)
  const text = (at: number, length: number) => Buffer.from(bytes(at, length)).toString('latin1')
  const put32 = (at: number, value: number): number => {
    view().setUint32(at, value, true)
    return OK
  }
  /** Write bytes where they fit; otherwise say how many they are. */
  const give = (content: Uint8Array, at: number, room: number, lengthAt: number): number => {
    put32(lengthAt, content.length)
    if (content.length > room) return TOO_SHORT
    bytes(at, content.length).set(content)
    return OK
  }
  const giveText = (content: string, at: number, room: number, lengthAt: number): number =>
    give(Buffer.from(content, 'latin1'), at, room, lengthAt)
  /** A list, as many of its items as fit, each with a NUL, and where to go on. */
  const giveList = (items: string[], at: number, room: number, cursor: number, nextAt: number, lengthAt: number) => {
    let [length, index] = [0, cursor]
    for (; index < items.length; index++) {
      const item = Buffer.from(`${items[index]}\0`, 'latin1')
      if (length + item.length > room) break
      bytes(at + length, item.length).set(item)
      length += item.length
    }
    put32(lengthAt, length)
    view().setBigInt64(nextAt, index < items.length ? BigInt(index) : -1n, true)
    return length === 0 && index < items.length ? TOO_SHORT : OK
  }
  const isNamed = (name: string) => (field: [string, string]) => field[0].toLowerCase() === name.toLowerCase()
  const without = (fields: [string, string][], name: string): void => {
    fields.splice(0, fields.length, ...fields.filter((field) => !isNamed(name)(field)))
  }
  const fields = {
    header_names_get: (h: number, at: number, room: number, cursor: number, next: number, length: number) =>
      giveList([...new Set(messages[h]!.fields.map(([name]) => name))], at, room, cursor, next, length),
    header_values_get(
      h: number,
      name: number,
      size: number,
      at: number,
      room: number,
      cursor: number,
      next: number,
      length: number,
    ) {
      const values = messages[h]!.fields.filter(isNamed(text(name, size))).map(([, value]) => value)
      return giveList(values, at, room, cursor, next, length)
    },
    header_append(h: number, name: number, size: number, at: number, length: number) {
      messages[h]!.fields.push([text(name, size), text(at, length)])
      return OK
    },
    header_insert(h: number, name: number, size: number, at: number, length: number) {
      without(messages[h]!.fields, text(name, size))
      messages[h]!.fields.push([text(name, size), text(at, length)])
      return OK
    },
    header_remove(h: number, name: number, size: number) {
      without(messages[h]!.fields, text(name, size))
      return OK
    },
    version_get: (_: number, at: number) => put32(at, 2),
    framing_headers_mode_set: () => OK,
  }
  const calls: Record<string, Record<string, (...given: number[]) => number>> = {
    fastly_http_req: {
      ...(fields as object),
      body_downstream_get: (requestAt, bodyAt) => put32(requestAt!, asked) + put32(bodyAt!, received),
      method_get: (h, at, room, length) => giveText(messages[h!]!.method, at!, room!, length!),
      uri_get: (h, at, room, length) => giveText(messages[h!]!.uri, at!, room!, length!),
    },
    fastly_http_resp: {
      ...(fields as object),
      new: (at) => put32(at!, add(messages, { method: '', uri: '', status: 200, fields: [] })),
      status_set(h, status) {
        messages[h!]!.status = status!
        return OK
      },
      status_get(h, at) {
        view().setUint16(at!, messages[h!]!.status, true)
        return OK
      },
      send_downstream(h, body) {
        if (answer) return BAD_HANDLE
        answer = { message: messages[h!]!, chunks: bodies[body!]! }
        return OK
      },
    },
    fastly_http_body: {
      new: (at) => put32(at!, add(bodies, [])),
      read(h, at, room, length) {
        const [first = new Uint8Array(), ...rest] = bodies[h!]!
        const part = first.subarray(0, room)
        bodies[h!] = part.length < first.length ? [first.subarray(part.length), ...rest] : rest
        return give(part, at!, room!, length!)
      },
      write(h, at, length, _end, writtenAt) {
        bodies[h!]!.push(bytes(at!, length!).slice())
        return put32(writtenAt!, length!)
      },
      append(to, from) {
        bodies[to!]!.push(...bodies[from!]!)
        return OK
      },
      close: () => OK,
      abandon: () => OK,
      known_length: () => NONE,
    },
    fastly_http_downstream: {
      downstream_client_ip_addr: (_, at, length) => give(octets(client), at!, 16, length!),
      downstream_server_ip_addr: (_, at, length) => give(octets(server), at!, 16, length!),
    },
    fastly_async_io: {
      is_ready: (_, at) => put32(at!, 1),
      select(_handles, count, timeoutMs, at) {
        // Bodies are buffered, so each handle is ready; without one it is a timer
        if (count) return put32(at!, 0)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeoutMs)
        return put32(at!, NO_HANDLE)
      },
    },
    fastly_log: {
      endpoint_get: (_name, _length, at) => put32(at!, 0),
      write: (_, _at, length, writtenAt) => put32(writtenAt!, length!),
    },
  }
  const wasi = new WASI({
    version: 'preview1',
    returnOnExit: true,
    args: ['service'],
    env: { FASTLY_HOSTNAME: 'localhost' },
  })
  // ModuleImports: functions by name
  const imports = { wasi_snapshot_preview1: wasi.wasiImport as WebAssembly.ModuleImports } as WebAssembly.Imports
  for (const { module, name } of WebAssembly.Module.imports(program)) {
    if (module === 'wasi_snapshot_preview1') continue
    imports[module] ??= {}
    imports[module]![name] = calls[module]?.[name] ?? (() => UNSUPPORTED)
  }
  const instance = await WebAssembly.instantiate(program, imports)
  memory = instance.exports.memory as WebAssembly.Memory // memory: js-compute-runtime exports it
  wasi.start(instance)
  if (!answer) throw new Error('The program has sent no response')
  const { message, chunks } = answer
  const content =
    [101, 204, 205, 304].includes(message.status) || request.method === 'HEAD' ? null : Buffer.concat(chunks)
  return new Response(content, { status: message.status, headers: message.fields })
}
