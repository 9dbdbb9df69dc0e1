/**
 * The string formats that zod 4 has as schemas: `z.email()` is `z.string().email()`. A format is a schema with every
 * method of strings.
 *
 * @module
 */
import { tryConvert } from '../internal/z/attempt.ts'
import type { Check } from '../internal/z/definition.ts'
import { isCidr, isIp } from '../internal/z/format-tests.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { EMAIL, patternCheck, textCheck } from '../internal/z/string-checks.ts'
import * as formats from './formats.ts'
import { overwrite } from './overwrite.ts'
import { type StringSchema, string } from './string.ts'

/** The message for a string without the format, and the messages for a value that is not a string. */
type FormatParams = string | Params

const paramsOf = (params?: FormatParams): Params | undefined => (typeof params === 'object' ? params : undefined)
const messageOf = (params?: FormatParams): { message?: string | undefined } =>
  typeof params === 'string' ? { message: params } : { message: params?.message ?? params?.error }

const HOSTNAME = /^(?=.{1,253}\.?$)[\da-z](?:[\da-z-]{0,61}[\da-z])?(?:\.[\da-z](?:[\da-z-]{0,61}[\da-z])?)*\.?$/i
/** The same with a last label of letters alone. */
const DOMAIN = /^(?=.{1,253}$)(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)+[a-z]{2,63}$/i

/** Creates schemas of one format. */
type Format = (params?: FormatParams) => StringSchema

const byPattern =
  (check: (message: Message) => Check): Format =>
  (params) =>
    string(paramsOf(params)).check(check(messageOf(params)))

const version4 = (check: (options: { version: 'v4' }) => Check): Format =>
  /* @__PURE__ */ byPattern((message) => check({ version: 'v4', ...(message as object) }))

/** Unlike zod 3, accept an IPv4 address at the end of each IPv6 address (RFC 4291 §2.2), and refuse a zone. */
const version6 =
  (name: 'ip' | 'cidr', test: (value: string, version: 'v6') => boolean): Format =>
  (params) => {
    const holds = (value: string): boolean => !value.includes('%') && test(value.replace(EMBEDDED, asGroups), 'v6')
    return string(paramsOf(params)).check(textCheck(name, holds, messageOf(params), undefined, 'v6'))
  }

/** The last part of an address, which is an IPv4 address, and the length of the prefix behind it. */
const EMBEDDED = /:[\d.]+(?=$|\/)/

/** Write an IPv4 address at the end as two groups; any other end is not valid. */
const asGroups = (last: string): string => (last.includes('.') ? (isIp(last.slice(1), 'v4') ? ':0:0' : ':-') : last)

const matchAny = (name: string, pattern: RegExp): Format =>
  /* @__PURE__ */ byPattern((message) => patternCheck(name, pattern, message))

/** An email address as used in practice. */
export const email: Format = /* @__PURE__ */ matchAny('email', EMAIL)
/** Hexadecimal digits in groups of 8, 4, 4, 4 and 12, of any version and variant: what zod 3 calls `uuid`. */
export const guid: Format = (params) => string(paramsOf(params)).uuid(messageOf(params))
/** An id of `cuid`: `c`, and digits of base 36. */
export const cuid: Format = /* @__PURE__ */ matchAny('cuid', /^[cC][\da-z]{6,}$/)
/** An id of `cuid2`. */
export const cuid2: Format = /* @__PURE__ */ byPattern(formats.cuid2)
/** An id of `ulid`, whose first digit is 7 at most: a time of 48 bits. */
export const ulid: Format = /* @__PURE__ */ matchAny('ulid', /^[0-7][\da-hjkmnp-tv-z]{25}$/i)
/** An id of `nanoid`: 21 characters. */
export const nanoid: Format = /* @__PURE__ */ byPattern(formats.nanoid)
/** Padded base64. */
export const base64: Format = /* @__PURE__ */ byPattern(formats.base64)
/** base64 for addresses, without padding; `string().base64url()` accepts it padded too. */
export const base64url: Format = /* @__PURE__ */ matchAny('base64url', /^(?:[\w-][\w-][\w-][\w-])*(?:[\w-]{2,3})?$/)
/** Emoji alone. A digit is a part of some emoji, but is not one. */
export const emoji: Format = (params) => {
  const isOfParts = formats.emoji().holds
  const base = new RegExp(EMOJI_BASE, 'u')
  const holds = (value: string): boolean => isOfParts(value) && base.test(value)
  return string(paramsOf(params)).check(textCheck('emoji', holds, messageOf(params)))
}
/** An IPv4 address. */
export const ipv4: Format = /* @__PURE__ */ version4(formats.ip)
/** An IPv6 address. */
export const ipv6: Format = /* @__PURE__ */ version6('ip', isIp)
/** An IPv4 address and the length of its prefix. */
export const cidrv4: Format = /* @__PURE__ */ version4(formats.cidr)
/** An IPv6 address and the length of its prefix. */
export const cidrv6: Format = /* @__PURE__ */ version6('cidr', isCidr)
/** A telephone number of ITU-T E.164: `+` and 7 to 15 digits. */
export const e164: Format = /* @__PURE__ */ matchAny('e164', /^\+[1-9]\d{6,14}$/)
/** Hexadecimal digits, or the empty string. */
export const hex: Format = /* @__PURE__ */ matchAny('hex', /^[\da-f]*$/i)
/** A name of RFC 1123 §2.1: labels of 1 to 63 letters, digits and inner hyphens, 253 characters in all. */
export const hostname: Format = /* @__PURE__ */ matchAny('hostname', HOSTNAME)
/** A URL of `http:` or `https:` whose host is a domain of two labels or more: neither `localhost` nor an address. */
export const httpUrl: Format = (params) =>
  url({ ...paramsOf(params), ...messageOf(params), protocol: HTTP, hostname: DOMAIN })
/** A UUID of RFC 9562 and version 4. */
export const uuidv4: Format = (params) => uuid({ ...paramsOf(params), ...messageOf(params), version: 4 })
/** A UUID of RFC 9562 and version 6. */
export const uuidv6: Format = (params) => uuid({ ...paramsOf(params), ...messageOf(params), version: 6 })
/** A UUID of RFC 9562 and version 7. */
export const uuidv7: Format = (params) => uuid({ ...paramsOf(params), ...messageOf(params), version: 7 })

/** A picture, a letter of a flag, or the frame of a key. */
const EMOJI_BASE = '\\p{Extended_Pictographic}|\\p{Regional_Indicator}|\u20E3'

/** Versions 1 to 8 with the variant of RFC 9562, and the ids with only 0 or f. */
const RFC_UUID =
  /^(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i

/**
 * A UUID of RFC 9562, as in zod 4: version and variant are tested, which `string().uuid()` and `guid()` do not.
 *
 * @example
 * uuid().safeParse('00000000-0000-0000-c000-000000000001').success // false
 */
export const uuid = (params?: string | (Params & { readonly version?: number | `v${number}` })): StringSchema => {
  const version =
    typeof params === 'object' && params.version ? Number(`${params.version}`.replace('v', '')) : undefined
  return version ? string(paramsOf(params)).uuid({ version, ...messageOf(params) }) : matchAny('uuid', RFC_UUID)(params)
}

const HTTP = /^https?$/

/**
 * A text that `new URL` accepts, without the white space around it; `protocol` and `hostname` restrict it.
 * `normalize` writes it as `new URL` does.
 *
 * @example
 * url({ protocol: /^https$/, hostname: /^x\.io$/ }).parse('https://x.io/a') // 'https://x.io/a'
 */
export const url = (
  params?: string | (Params & { readonly protocol?: RegExp; readonly hostname?: RegExp; readonly normalize?: boolean }),
): StringSchema => {
  const { protocol, hostname, normalize } = typeof params === 'object' ? params : {}
  const text = string(paramsOf(params)).trim()
  const urlCheck = text.url({ ...(protocol && { protocol }), ...messageOf(params) }).def.checks[1]!
  // As in zod 4: `new URL` reads `https:/x.io` too, which is not a valid address
  const isHttp = protocol?.source === HTTP.source && !normalize
  const holds = (value: string): boolean =>
    urlCheck.holds(value) &&
    (!hostname || new URL(value).hostname.search(hostname) >= 0) &&
    (!isHttp || /^https?:\/\//i.test(value))
  const schema = text.check({ ...urlCheck, holds })
  return normalize
    ? schema.check(overwrite(tryConvert((value: string) => new URL(value).href) as (value: unknown) => string))
    : schema
}

/**
 * A token of three parts, whose signature is not verified; `alg` is the algorithm that its header must have.
 *
 * @example
 * jwt({ alg: 'HS256' }).safeParse('x.y.z').success // false
 */
export const jwt = (params?: string | (Params & { readonly alg?: string })): StringSchema => {
  const alg = typeof params === 'object' ? params.alg : undefined
  return string(paramsOf(params)).check(formats.jwt({ ...(alg && { alg }), ...messageOf(params) }))
}
