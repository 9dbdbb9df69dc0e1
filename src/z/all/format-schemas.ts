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

export const email = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.email(params), Zod3String)
export const guid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.guid(params), Zod3String)
export const uuid = (params?: Parameters<typeof formats.uuid>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.uuid(params), Zod3String)
export const url = (params?: Parameters<typeof formats.url>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.url(params), Zod3String)
export const cuid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cuid(params), Zod3String)
export const cuid2 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cuid2(params), Zod3String)
export const ulid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ulid(params), Zod3String)
export const nanoid = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.nanoid(params), Zod3String)
export const base64 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.base64(params), Zod3String)
export const base64url = (params?: FormatParams): Zod3Schema<Zod3String> =>
  toZod3(formats.base64url(params), Zod3String)
export const emoji = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.emoji(params), Zod3String)
export const jwt = (params?: Parameters<typeof formats.jwt>[0]): Zod3Schema<Zod3String> =>
  toZod3(formats.jwt(params), Zod3String)
export const ipv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ipv4(params), Zod3String)
export const ipv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.ipv6(params), Zod3String)
export const cidrv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cidrv4(params), Zod3String)
export const cidrv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.cidrv6(params), Zod3String)
export const e164 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.e164(params), Zod3String)
export const hex = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.hex(params), Zod3String)
export const hostname = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.hostname(params), Zod3String)
export const httpUrl = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.httpUrl(params), Zod3String)
export const uuidv4 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv4(params), Zod3String)
export const uuidv6 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv6(params), Zod3String)
export const uuidv7 = (params?: FormatParams): Zod3Schema<Zod3String> => toZod3(formats.uuidv7(params), Zod3String)
export const int = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.int(params), Zod3Number)
export const int32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.int32(params), Zod3Number)
export const uint32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.uint32(params), Zod3Number)
export const float32 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.float32(params), Zod3Number)
export const float64 = (params?: Params): Zod3Schema<Zod3Number> => toZod3(numbers.float64(params), Zod3Number)
export const int64 = (params?: Params): Zod3Schema<Zod3BigInt> => toZod3(numbers.int64(params), Zod3BigInt)
export const uint64 = (params?: Params): Zod3Schema<Zod3BigInt> => toZod3(numbers.uint64(params), Zod3BigInt)
