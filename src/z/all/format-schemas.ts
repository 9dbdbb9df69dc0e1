/**
 * The formats of strings and numbers that zod 4 has as schemas, with the methods of zod 3. The functions of `sluice/z`
 * say what each accepts.
 *
 * @module
 */
import type { Params } from '../../internal/z/issue.ts'
import * as numbers from '../number.ts'
import * as formats from '../string-formats.ts'
import { Zod3BigInt } from './bigint-date.ts'
import { Zod3Number } from './number.ts'
import { Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

type FormatParams = string | Params

/** An email address as used in practice. */
export const email = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.email(params), Zod3String)
/** Hexadecimal digits in groups of 8, 4, 4, 4 and 12, of any version and variant: what zod 3 calls `uuid`. */
export const guid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.guid(params), Zod3String)
/** A UUID of RFC 9562, as in zod 4: version and variant are tested. */
export const uuid = (params?: Parameters<typeof formats.uuid>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.uuid(params), Zod3String)
/** A text that `new URL` accepts, without the white space around it. */
export const url = (params?: Parameters<typeof formats.url>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.url(params), Zod3String)
/** An id of `cuid`: `c`, and digits of base 36. */
export const cuid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cuid(params), Zod3String)
/** An id of `cuid2`. */
export const cuid2 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cuid2(params), Zod3String)
/** An id of `ulid`, whose first digit is 7 at most: a time of 48 bits. */
export const ulid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ulid(params), Zod3String)
/** An id of `nanoid`: 21 characters. */
export const nanoid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.nanoid(params), Zod3String)
/** Padded base64. */
export const base64 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.base64(params), Zod3String)
/** base64 for addresses, without padding. */
export const base64url = (params?: FormatParams): Zod3Schema<Zod3String> =>
  toZod3(formats.base64url(params), Zod3String)
/** Emoji alone. A digit is a part of some emoji, but is not one. */
export const emoji = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.emoji(params), Zod3String)
/** A token of three parts. The signature is not checked. */
export const jwt = (params?: Parameters<typeof formats.jwt>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.jwt(params), Zod3String)
/** An IPv4 address. */
export const ipv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ipv4(params), Zod3String)
/** An IPv6 address. */
export const ipv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ipv6(params), Zod3String)
/** An IPv4 address and the length of its prefix. */
export const cidrv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cidrv4(params), Zod3String)
/** An IPv6 address and the length of its prefix. */
export const cidrv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cidrv6(params), Zod3String)
/** A telephone number of ITU-T E.164: `+` and 7 to 15 digits. */
export const e164 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.e164(params), Zod3String)
/** Hexadecimal digits, or the empty string. */
export const hex = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.hex(params), Zod3String)
/** A name of RFC 1123 §2.1: labels of 1 to 63 letters, digits and inner hyphens, 253 characters in all. */
export const hostname = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.hostname(params), Zod3String)
/** A URL of `http:` or `https:` whose host is a domain of two labels or more: neither `localhost` nor an address. */
export const httpUrl = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.httpUrl(params), Zod3String)
/** A UUID of RFC 9562 and version 4. */
export const uuidv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv4(params), Zod3String)
/** A UUID of RFC 9562 and version 6. */
export const uuidv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv6(params), Zod3String)
/** A UUID of RFC 9562 and version 7. */
export const uuidv7 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv7(params), Zod3String)
/** A whole number from `Number.MIN_SAFE_INTEGER` to `Number.MAX_SAFE_INTEGER`. */
export const int = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.int(params), Zod3Number)
/** A whole number of 32 bits with a sign. */
export const int32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.int32(params), Zod3Number)
/** A whole number of 32 bits without a sign. */
export const uint32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.uint32(params), Zod3Number)
/** A finite number in the range of 32 bits; its precision is not tested. */
export const float32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.float32(params), Zod3Number)
/** A finite number. */
export const float64 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.float64(params), Zod3Number)
/** A bigint of 64 bits with a sign. */
export const int64 = (params?: Params): Zod3Schema<Zod3BigInt> => toZod3(numbers.int64(params), Zod3BigInt)
/** A bigint of 64 bits without a sign. */
export const uint64 = (params?: Params): Zod3Schema<Zod3BigInt> => toZod3(numbers.uint64(params), Zod3BigInt)
