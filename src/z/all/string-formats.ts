import type { StringSchema } from '../string.ts'
import * as formats from '../string-formats.ts'
import { Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create } from './zod3-schema.ts'

/** The same function, whose schema has every method of strings. */
type StringMaker<Make extends (...given: never[]) => StringSchema> = (
  ...given: Parameters<Make>
) => Zod3Schema<Zod3String>

/** Let a function return a schema with every method of strings. */
export const ofStrings =
  <Given extends unknown[]>(make: (...given: Given) => StringSchema): ((...given: Given) => Zod3Schema<Zod3String>) =>
  (...given) => {
    const schema = make(...given)
    return create(Zod3String, schema.def, schema.make)
  }

/** An email address as used in practice. */
export const email: StringMaker<typeof formats.email> = /* @__PURE__ */ ofStrings(formats.email)
/** Hexadecimal digits in groups of 8, 4, 4, 4 and 12, of any version and variant: what zod 3 calls `uuid`. */
export const guid: StringMaker<typeof formats.guid> = /* @__PURE__ */ ofStrings(formats.guid)
/** A UUID of RFC 9562, as in zod 4: version and variant are tested. */
export const uuid: StringMaker<typeof formats.uuid> = /* @__PURE__ */ ofStrings(formats.uuid)
/** A text that `new URL` accepts, without the white space around it. */
export const url: StringMaker<typeof formats.url> = /* @__PURE__ */ ofStrings(formats.url)
/** An id of `cuid`: `c`, and digits of base 36. */
export const cuid: StringMaker<typeof formats.cuid> = /* @__PURE__ */ ofStrings(formats.cuid)
/** An id of `cuid2`. */
export const cuid2: StringMaker<typeof formats.cuid2> = /* @__PURE__ */ ofStrings(formats.cuid2)
/** An id of `ulid`, whose first digit is 7 at most: a time of 48 bits. */
export const ulid: StringMaker<typeof formats.ulid> = /* @__PURE__ */ ofStrings(formats.ulid)
/** An id of `nanoid`: 21 characters. */
export const nanoid: StringMaker<typeof formats.nanoid> = /* @__PURE__ */ ofStrings(formats.nanoid)
/** Padded base64. */
export const base64: StringMaker<typeof formats.base64> = /* @__PURE__ */ ofStrings(formats.base64)
/** base64 for addresses, without padding. */
export const base64url: StringMaker<typeof formats.base64url> = /* @__PURE__ */ ofStrings(formats.base64url)
/** Emoji alone. A digit is a part of some emoji, but is not one. */
export const emoji: StringMaker<typeof formats.emoji> = /* @__PURE__ */ ofStrings(formats.emoji)
/** A token of three parts. The signature is not checked. */
export const jwt: StringMaker<typeof formats.jwt> = /* @__PURE__ */ ofStrings(formats.jwt)
/** An IPv4 address. */
export const ipv4: StringMaker<typeof formats.ipv4> = /* @__PURE__ */ ofStrings(formats.ipv4)
/** An IPv6 address. */
export const ipv6: StringMaker<typeof formats.ipv6> = /* @__PURE__ */ ofStrings(formats.ipv6)
/** An IPv4 address and the length of its prefix. */
export const cidrv4: StringMaker<typeof formats.cidrv4> = /* @__PURE__ */ ofStrings(formats.cidrv4)
/** An IPv6 address and the length of its prefix. */
export const cidrv6: StringMaker<typeof formats.cidrv6> = /* @__PURE__ */ ofStrings(formats.cidrv6)
/** A telephone number of ITU-T E.164: `+` and 7 to 15 digits. */
export const e164: StringMaker<typeof formats.e164> = /* @__PURE__ */ ofStrings(formats.e164)
/** Hexadecimal digits, or the empty string. */
export const hex: StringMaker<typeof formats.hex> = /* @__PURE__ */ ofStrings(formats.hex)
/** A name of RFC 1123 §2.1: labels of 1 to 63 letters, digits and inner hyphens, 253 characters in all. */
export const hostname: StringMaker<typeof formats.hostname> = /* @__PURE__ */ ofStrings(formats.hostname)
/** A URL of `http:` or `https:` whose host is a domain of two labels or more: neither `localhost` nor an address. */
export const httpUrl: StringMaker<typeof formats.httpUrl> = /* @__PURE__ */ ofStrings(formats.httpUrl)
/** A UUID of RFC 9562 and version 4. */
export const uuidv4: StringMaker<typeof formats.uuidv4> = /* @__PURE__ */ ofStrings(formats.uuidv4)
/** A UUID of RFC 9562 and version 6. */
export const uuidv6: StringMaker<typeof formats.uuidv6> = /* @__PURE__ */ ofStrings(formats.uuidv6)
/** A UUID of RFC 9562 and version 7. */
export const uuidv7: StringMaker<typeof formats.uuidv7> = /* @__PURE__ */ ofStrings(formats.uuidv7)
