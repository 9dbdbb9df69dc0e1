import type { Check } from './definition.ts'
import { escapePattern, sourceOf } from './json-schema-pattern.ts'
import type { JsonSchema, Target } from './json-schema-types.ts'

/** Formats of JSON Schema for checks that are functions. Another validator may decide differently at the edges. */
const FORMATS: { readonly [kind: string]: string | undefined } = { date: 'date', datetime: 'date-time', url: 'uri' }

/** Patterns that match every string which these checks accept. JSON Schema has no format for them, or another one. */
const PATTERNS: { readonly [kind: string]: string | undefined } = {
  cidr: '^[\\da-fA-F:.]+/\\d{1,3}$',
  duration: '^[+-]?P[-+\\dYMWDTHS.,]+$',
  jwt: '^[\\w-]+\\.[\\w-]+\\.[\\w-]*$',
  uuid: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
}

/** The formats of a check: `ip` without a version means either. */
const formatsOf = ({ kind, value }: Check): readonly string[] =>
  kind === 'ip' ? (value ? [`ip${value}`] : ['ipv4', 'ipv6']) : FORMATS[kind] ? [FORMATS[kind]] : []

interface SizeBounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly inclusive?: boolean
  readonly type?: string
}

/** The keywords of a schema's checks; `noun` is the unit of lengths. */
export const describeChecks = (checks: readonly Check[], target: Target, noun = 'Length'): JsonSchema => {
  const described: JsonSchema = {}
  const patterns: string[] = []
  const more: JsonSchema[] = []
  const add = (keyword: string, value: unknown): void => {
    if (keyword in described) more.push({ [keyword]: value })
    else described[keyword] = value
  }
  for (const check of checks) {
    const { kind, value, pattern = value, issue } = check
    const formats = formatsOf(check)
    const { minimum, maximum, inclusive, type } = (issue ?? {}) as SizeBounds
    const limit = minimum ?? maximum
    const isCount = limit !== undefined && type !== 'number'
    const name = minimum === undefined ? `max${noun}` : `min${noun}`
    // JSON has neither `Infinity` nor `NaN`: such a limit allows all values or none
    if (maximum === Number.POSITIVE_INFINITY || minimum === Number.NEGATIVE_INFINITY) continue
    if ((limit !== undefined && !Number.isFinite(limit)) || (isCount && maximum! < 0)) more.push({ not: {} })
    else if (isCount && minimum === undefined)
      described[name] = Math.min(Math.floor(limit), Number(described[name] ?? limit))
    else if (isCount) described[name] = Math.max(Math.ceil(limit), Number(described[name] ?? 0))
    else if (limit !== undefined) addBound(described, target, { minimum, maximum, inclusive } as SizeBounds)
    else if (kind === 'multipleOf' && !value) more.push({ not: {} })
    else if (kind === 'multipleOf') add('multipleOf', Math.abs(value as number))
    else if (pattern instanceof RegExp) patterns.push(...sourceOf(pattern))
    else if (PATTERNS[kind]) patterns.push(PATTERNS[kind])
    else if (formats.length > 1) more.push({ anyOf: formats.map((format) => ({ format })) })
    else if (formats[0]) add('format', formats[0])
    else patterns.push(...affixes(issue))
  }
  if (patterns.length === 1) described.pattern = patterns[0]
  else more.push(...patterns.map((pattern) => ({ pattern })))
  if (more.length) described.allOf = more
  return described
}

const affixes = (issue: unknown): string[] => {
  const { validation } = (issue ?? {}) as { validation?: unknown }
  if (typeof validation !== 'object' || validation === null) return []
  const { includes, position, startsWith, endsWith } = validation as { [part: string]: string | number | undefined }
  if (startsWith !== undefined) return [`^${escapePattern(startsWith)}`]
  if (endsWith !== undefined) return [`${escapePattern(endsWith)}$`]
  return [`${position ? `^[\\s\\S]{${position},}` : ''}${escapePattern(includes)}`]
}

/** Keep the tighter of two bounds; OpenAPI 3.0 marks an exclusive bound by a flag. */
const addBound = (described: JsonSchema, target: Target, { minimum, maximum, inclusive }: SizeBounds): void => {
  const isLower = minimum !== undefined
  const limit = (isLower ? minimum : maximum)!
  const [name, exclusive] = isLower ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum']
  const isTighter = (old: unknown): boolean =>
    old === undefined || (isLower ? limit > Number(old) : limit < Number(old))
  if (target !== 'openapi-3.0') {
    const key = inclusive ? name : exclusive
    if (isTighter(described[key])) described[key] = limit
  } else if (isTighter(described[name]) || (described[name] === limit && !inclusive)) {
    described[name] = limit
    if (inclusive) delete described[exclusive]
    else described[exclusive] = true
  }
}

export const wordsPattern = (words: readonly string[]): string =>
  sourceOf(new RegExp(`^(?:${words.map(escapePattern).join('|')})$`, 'i'))[0]!
