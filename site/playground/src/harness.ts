/**
 * What runs in front of the visitor's bundle in a worker of a sandboxed frame.
 *
 * Browsers drop `set-cookie` from responses that scripts create, and `cookie`, `origin`, `host` and others from requests.
 * Servers do not. So `Request` and `Response` keep their fields in a Headers object of their own, which has no guard.
 */
const worker = globalThis as unknown as DedicatedWorkerGlobalScope

const PlainRequest = globalThis.Request
const PlainResponse = globalThis.Response
const kept = new WeakMap<object, Headers>()

class FreeRequest extends PlainRequest {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    super(input, init)
    kept.set(
      this,
      new Headers(init.headers ?? (input instanceof PlainRequest ? (kept.get(input) ?? input.headers) : undefined)),
    )
    const type = super.headers.get('content-type')
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type)
  }
  override get headers(): Headers {
    return kept.get(this) ?? super.headers
  }
  override clone(): Request {
    const copy = super.clone()
    Object.setPrototypeOf(copy, FreeRequest.prototype)
    kept.set(copy, new Headers(this.headers))
    return copy
  }
}

class FreeResponse extends PlainResponse {
  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init)
    const fields = new Headers(init.headers)
    const type = super.headers.get('content-type')
    if (type !== null && !fields.has('content-type')) fields.set('content-type', type)
    kept.set(this, fields)
  }
  override get headers(): Headers {
    return kept.get(this) ?? super.headers
  }
  override clone(): Response {
    const copy = super.clone()
    Object.setPrototypeOf(copy, FreeResponse.prototype)
    kept.set(copy, new Headers(this.headers))
    return copy
  }
  static override json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new FreeResponse(JSON.stringify(data), { ...init, headers })
  }
  static override redirect(url: string | URL, status = 302): Response {
    return new FreeResponse(null, { status, headers: { location: String(url) } })
  }
}

// What is left of the origin of the site: nothing that a program of a link could keep or tell to another tab.
for (const name of [
  'indexedDB',
  'caches',
  'BroadcastChannel',
  'navigator',
  'cookieStore',
  'Worker',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'importScripts',
]) {
  Object.defineProperty(worker, name, { value: undefined, configurable: false })
}

Object.assign(worker, { Request: FreeRequest, Response: FreeResponse })

/** As `node:util` shows values, near enough that the pages of the documentation print what they say. */
const inspect = (value: unknown, depth = 0): string => {
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value}'`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `[Function${value.name ? `: ${value.name}` : ' (anonymous)'}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (value instanceof Date) return value.toISOString()
  if (depth > 2) return Array.isArray(value) ? '[Array]' : '[Object]'
  const list = (open: string, parts: string[], close: string): string => {
    if (parts.length === 0) return open.trim() + close.trim()
    const line = `${open}${parts.join(', ')}${close}`
    return line.length <= 76
      ? line
      : `${open.trim()}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close.trim()}`
  }
  const entries = (of: Iterable<readonly [unknown, unknown]>) =>
    [...of].map(([key, part]) => `${inspect(key, depth + 1)} => ${inspect(part, depth + 1)}`)
  if (Array.isArray(value))
    return list(
      '[ ',
      value.map((part) => inspect(part, depth + 1)),
      ' ]',
    )
  if (value instanceof Map) return list(`Map(${value.size}) { `, entries(value), ' }')
  if (value instanceof Set)
    return list(
      `Set(${value.size}) { `,
      [...value].map((part) => inspect(part, depth + 1)),
      ' }',
    )
  if (value instanceof Headers)
    return list(
      'Headers { ',
      [...value].map(([key, part]) => `${inspect(key)}: ${inspect(part)}`),
      ' }',
    )
  const name =
    Object.getPrototypeOf(value) === null
      ? '[Object: null prototype] '
      : value.constructor === Object
        ? ''
        : `${value.constructor?.name} `
  return list(
    `${name}{ `,
    Object.entries(value).map(
      ([key, part]) => `${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : `'${key}'`}: ${inspect(part, depth + 1)}`,
    ),
    ' }',
  )
}
const show = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))

for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  console[level] = (...values: unknown[]) =>
    worker.postMessage({ kind: 'log', level, text: values.map(show).join(' ') })
}

interface Ask {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly headers: readonly [string, string][]
  readonly body: string
}
type Fetch = (request: Request, env: object, execution: object) => Response | Promise<Response>

let application: Promise<{ fetch: Fetch } | undefined>

/** The bundle calls this with what it exports. */
const serve = (load: () => Promise<Record<string, unknown>>): void => {
  application = load().then(({ default: app }) => {
    if (typeof app === 'function') return { fetch: app as Fetch }
    if (app && typeof (app as { fetch?: unknown }).fetch === 'function') return app as { fetch: Fetch }
    return undefined
  })
  application.then(
    (app) => worker.postMessage({ kind: 'loaded', serves: app !== undefined }),
    (error) => worker.postMessage({ kind: 'failed', text: show(error) }),
  )
}

worker.onmessage = async ({ data }: MessageEvent<Ask | { readonly bundle: string }>) => {
  // The limits of the page count from here, and not while the machine is busy with something else
  worker.postMessage({ kind: 'started', id: 'bundle' in data ? undefined : data.id })
  if ('bundle' in data) {
    serve(() => import(/* @vite-ignore */ data.bundle))
    return
  }
  const { id, method, url, headers, body } = data
  try {
    const app = await application
    if (!app) throw new TypeError('The program has no default export with a fetch method.')
    const started = performance.now()
    const init: RequestInit = { method, headers: headers as [string, string][] }
    if (body && method !== 'GET' && method !== 'HEAD') init.body = body
    const response = await app.fetch(
      new FreeRequest(url, init),
      {},
      { waitUntil: () => {}, passThroughOnException: () => {} },
    )
    worker.postMessage({
      kind: 'head',
      id,
      status: response.status,
      headers: [...response.headers],
      ms: performance.now() - started,
    })
    const decoder = new TextDecoder()
    if (response.body) {
      const reader = response.body.getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read())
        worker.postMessage({ kind: 'part', id, text: decoder.decode(part.value, { stream: true }) })
    }
    worker.postMessage({ kind: 'end', id, ms: performance.now() - started })
  } catch (error) {
    worker.postMessage({ kind: 'failed', id, text: show(error) })
  }
}
