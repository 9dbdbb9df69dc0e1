import { derive } from '../../internal/z/core.ts'
import type { Check } from '../../internal/z/definition.ts'
import { isTime } from '../../internal/z/format-tests.ts'
import { lengthChecks } from '../../internal/z/from-json/bounds.ts'
import { type Place, refuse, shown } from '../../internal/z/from-json/document.ts'
import { isLinear } from '../../internal/z/from-json/is-linear.ts'
import { patternCheck, textCheck } from '../../internal/z/string-checks.ts'
import { base64, base64url, cidr, date, datetime, duration, ip, jwt } from '../formats.ts'
import { type StringSchema, string } from '../string.ts'
import type { Typed } from './from-json-parts.ts'

/** The formats that are checked. Others tell something, as JSON Schema Validation §7.2.1 has it. */
const FORMATS: { readonly [format: string]: ((schema: StringSchema) => StringSchema) | undefined } = {
  email: (schema) => schema.email(),
  uuid: (schema) => schema.uuid(),
  uri: (schema) => schema.url(),
  date: (schema) => schema.check(date()),
  'date-time': (schema) => schema.check(datetime({ offset: true })),
  // RFC 3339 asks for a zone; the times of `z` have none
  time: (schema) => {
    const holds = isTime({})
    return schema.check(textCheck('time', (value) => holds(value.replace(ZONE, ''))))
  },
  duration: (schema) => schema.check(duration()),
  ipv4: (schema) => schema.check(ip({ version: 'v4' })),
  ipv6: (schema) => schema.check(ip({ version: 'v6' })),
  cidrv4: (schema) => schema.check(cidr({ version: 'v4' })),
  cidrv6: (schema) => schema.check(cidr({ version: 'v6' })),
  jwt: (schema) => schema.check(jwt()),
}

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/i

/** The schema for texts, with their keywords. */
export const text = ({ node, place, patterns }: Typed): StringSchema => {
  const { pattern, format } = node
  if (format !== undefined && typeof format !== 'string') refuse(place, `format: expected a name, got ${shown(format)}`)
  const sized = string().check(...lengthChecks(node, place))
  const formed = (typeof format === 'string' && Object.hasOwn(FORMATS, format) && FORMATS[format]?.(sized)) || sized
  const made = pattern === undefined ? formed : patterned(formed, pattern, patterns, place)
  return derive(made, { ...made.def, checks: made.def.checks.map(safely) })
}

/** Formats that `toJsonSchema` writes as patterns which are linear, though the proof does not reach them. */
const WRITTEN: { readonly [pattern: string]: ((schema: StringSchema) => StringSchema) | undefined } = {
  "^(?:[\\w'+-]+\\.)*[\\w'+-]*[\\w+-]@(?:[a-zA-Z\\d][a-zA-Z\\d-]*\\.)+[a-zA-Z]{2,}$": (schema) => schema.email(),
  '^(?:[a-zA-Z\\d+/][a-zA-Z\\d+/][a-zA-Z\\d+/][a-zA-Z\\d+/])*(?:[a-zA-Z\\d+/]{2}==|[a-zA-Z\\d+/]{3}=)?$': (schema) =>
    schema.check(base64()),
  '^(?:[\\w-][\\w-][\\w-][\\w-])*(?:[\\w-]{2}(?:==)?|[\\w-]{3}=?)?$': (schema) => schema.check(base64url()),
}

/** The same check; a text so long that a pattern fills the stack does not fit. */
const safely = (check: Check): Check => ({
  ...check,
  holds: (value) => {
    try {
      return check.holds(value)
    } catch {
      return false
    }
  },
})

const patterned = (schema: StringSchema, source: unknown, trusted: boolean, place: Place): StringSchema => {
  const known = typeof source === 'string' && Object.hasOwn(WRITTEN, source) && WRITTEN[source]
  if (known) return known(schema)
  return schema.check(patternCheck('regex', regexOf(source, trusted, place, 'pattern'), undefined, 'Invalid'))
}

/** A pattern, read as JSON Schema asks for it: with the flag `u`. */
export const regexOf = (source: unknown, trusted: boolean, place: Place, keyword: string): RegExp => {
  let pattern: RegExp
  try {
    if (typeof source !== 'string') throw TypeError
    pattern = new RegExp(source, 'u')
  } catch {
    return refuse(place, `${keyword}: expected a pattern that is valid with the flag "u", got ${shown(source)}`)
  }
  if (trusted || isLinear(source)) return pattern
  return refuse(
    place,
    `${keyword}: ${shown(source)} is not proved to take linear time. Write it so that one character decides how to go on, begin it with "^", or pass \`patterns: true\` if you trust the document`,
  )
}
