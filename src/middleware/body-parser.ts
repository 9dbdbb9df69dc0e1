import { bytesOf } from '#runtime/core'
import { parseBodyJson } from '../internal/body/body-json.ts'
import { decodeText } from '../internal/body/charset.ts'
import { formRecord } from '../internal/body/form-record.ts'
import { inflate } from '../internal/body/inflate.ts'
import { INPUT_TYPES } from '../internal/body/input.ts'
import type { FormCounts } from '../internal/body/parts.ts'
import { readForm, toFormData } from '../internal/body/read-form.ts'
import { parseUrlencoded } from '../internal/body/urlencoded.ts'
import { unsupported } from '../internal/error/unsupported.ts'
import { checkNames, checkWhole } from '../internal/options/check.ts'
import type { AnyContext, Middleware } from '../internal/types/context.ts'

/** Limit of one format. */
export interface BodyLimit {
  /** Size of the body, in bytes, counted while it is read. @default 1048576 */
  readonly limit?: number
}

/** Limits of JSON. */
export interface JsonLimits extends BodyLimit {
  /** Levels of nesting. @default 100 */
  readonly depth?: number
}

/** Limits of forms. */
export interface FormLimits extends BodyLimit, FormCounts {}

/** Options of {@link bodyParser}. */
export interface BodyParserOptions {
  /** `application/json` and everything `+json`. @default true */
  readonly json?: boolean | JsonLimits
  /** `application/x-www-form-urlencoded` and `multipart/form-data`. @default true */
  readonly form?: boolean | FormLimits
  /** `text/*` as a string. @default false */
  readonly text?: boolean | BodyLimit
  /** Bodies that no other format handles, as bytes. @default false */
  readonly raw?: boolean | BodyLimit
  /** Respond with 415 to a body that no format handles, instead of leaving it unread. @default false */
  readonly strict?: boolean
  /** Decompress `gzip` and `deflate`; the limit applies to the decompressed bytes too. @default false */
  readonly inflate?: boolean
}

type Format = 'json' | 'form' | 'text' | 'raw'
type Limits = JsonLimits & FormLimits

/** The `Accept` of a 415. */
const ACCEPT: Readonly<Record<Format, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded, multipart/form-data',
  text: 'text/*',
  raw: '*/*',
}

/**
 * Parse the body into `ctx.state.body`, according to its content type. It can still be read on `ctx` and `ctx.request`.
 *
 * `ctx.state.body` is `undefined` for GET and HEAD, without a body, and for types that no format handles. Repeated form
 * fields are lists, files are `File`, and a key `__proto__` does no harm.
 *
 * @throws {TypeError} when created, for a bad option.
 * @throws {Error} with `status` 413 beyond a limit, 400 for a body that does not match its type, 415 for an unknown
 * charset or coding.
 * @example
 * app.use(bodyParser({ json: { limit: 100_000 } })).post('/', (ctx) => json(ctx.state.body))
 */
export const bodyParser = (options: BodyParserOptions = {}): Middleware<{ body: unknown }> => {
  checkNames('bodyParser', options, 'json form text raw strict:boolean inflate:boolean')
  const { json = true, form = true } = options
  const formats = { ...options, json, form }
  // The types of JSON and forms are those of `validate`, so that both always see the same body
  const types: Readonly<Record<Format, RegExp>> = { ...INPUT_TYPES, text: /^text\//i, raw: /^/ }
  const enabledFormats = (Object.keys(types) as Format[]).filter((format) => formats[format])
  for (const format of enabledFormats) checkLimits(format, formats[format]!)

  const middleware: Middleware<{ body: unknown }> = async function bodyParser(ctx, next) {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next()
    const type = ctx.header('content-type') ?? ''
    const format = enabledFormats.find((name) => types[name].test(type))
    if (format) {
      const limits: Limits = Object(formats[format])
      const bytes = await read(ctx, limits.limit ?? 1_048_576, options.inflate)
      ctx.state.body = bytes.byteLength ? await PARSE[format](bytes, type, limits, ctx) : undefined
    } else if (options.strict) {
      // The limit is 0: a single byte is too many
      await bytesOf(ctx.request, 0).catch(() => {
        throw unsupported('accept', enabledFormats.map((name) => ACCEPT[name]).join(', '))
      })
    }
    return next()
  }
  return Object.assign(middleware, { describes: { statuses: [400, 413, 415], unsafe: true }, '~passes': true })
}

const read = (ctx: AnyContext, limit: number, mayInflate: boolean | undefined): Promise<Uint8Array<ArrayBuffer>> => {
  const coding = ctx.header('content-encoding')?.toLowerCase() ?? 'identity'
  if (coding === 'identity') return bytesOf(ctx.request, limit)
  if (!mayInflate) throw unsupported('accept-encoding', 'identity')
  return inflate(ctx, coding, limit)
}

type Parse = (bytes: Uint8Array<ArrayBuffer>, type: string, limits: Limits, ctx: AnyContext) => unknown

const PARSE: Readonly<Record<Format, Parse>> = {
  json: (bytes, type, { depth = 100 }) => parseBodyJson(decodeText(bytes, type), depth),
  form: async (bytes, type, limits, ctx) => {
    if (!/^multipart/i.test(type)) return parseUrlencoded(decodeText(bytes, type), limits.fields)
    const entries = await readForm(bytes, type, limits)
    // Later readers of the form get this result, not that of the platform's parser
    Object.assign(ctx.request, { formData: async () => toFormData(entries) })
    return formRecord(entries)
  },
  text: decodeText,
  raw: (bytes) => bytes,
}

/** The limits of each format in addition to `limit`. */
const LIMITS: Readonly<Record<string, string>> = {
  json: ' depth',
  form: ' fields files fieldSize fileSize headerPairs headerSize',
}

const checkLimits = (format: Format, limits: boolean | Limits): void => {
  if (limits === true) return
  checkNames(`bodyParser: ${format}`, limits as Limits, `limit${LIMITS[format] ?? ''}`)
  for (const [name, value] of Object.entries(limits)) {
    const unit = /limit|size/i.test(name) ? 'bytes' : name === 'depth' ? 'levels' : name
    if (value !== undefined) checkWhole(value, `bodyParser: ${format}: ${name}`, unit)
  }
}
