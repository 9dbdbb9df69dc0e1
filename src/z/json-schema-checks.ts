import type { Check } from './definition.ts'
import type { JsonSchema, Target } from './json-schema.ts'

/** Formats whose check is a function. They are annotations: a validator that looks at them may be of another opinion at the edges. */
const FORMATS: { readonly [kind: string]: string | undefined } = {
  date: 'date',
  datetime: 'date-time',
  duration: 'duration',
  time: 'time',
  url: 'uri',
}

interface Bounded {
  readonly minimum?: number
  readonly maximum?: number
  readonly inclusive?: boolean
  readonly exact?: boolean
}

/** The keywords of a schema's checks; `noun` is what lengths are counted in. */
export const describeChecks = (checks: readonly Check[], target: Target, noun = 'Length'): JsonSchema => {
  const described: JsonSchema = {}
  const patterns: string[] = []
  for (const { kind, value, issue } of checks) {
    const { minimum, maximum, inclusive } = (issue ?? {}) as Bounded
    const type = (issue as { type?: string } | undefined)?.type
    if (type === 'number') bound(described, target, { minimum, maximum, inclusive } as Bounded)
    else if (minimum !== undefined) described[`min${noun}`] = Math.max(minimum, Number(described[`min${noun}`] ?? 0))
    else if (maximum !== undefined)
      described[`max${noun}`] = Math.min(maximum, Number(described[`max${noun}`] ?? maximum))
    else if (kind === 'multipleOf') described.multipleOf = value
    else if (value instanceof RegExp) patterns.push(sourceOf(value))
    else if (FORMATS[kind]) described.format = FORMATS[kind]
    else patterns.push(...affix(issue))
  }
  if (patterns.length === 1) described.pattern = patterns[0]
  if (patterns.length > 1) described.allOf = patterns.map((pattern) => ({ pattern }))
  return described
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const affix = (issue: unknown): string[] => {
  const { validation } = (issue ?? {}) as { validation?: unknown }
  if (validation === 'uuid') return [UUID]
  if (typeof validation !== 'object' || validation === null) return []
  const { includes, position, startsWith, endsWith } = validation as { [part: string]: string | number | undefined }
  if (startsWith !== undefined) return [`^${literally(startsWith)}`]
  if (endsWith !== undefined) return [`${literally(endsWith)}$`]
  return [`${position ? `^[\\s\\S]{${position},}` : ''}${literally(includes)}`]
}

const literally = (text: unknown): string => String(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The tighter of two bounds; OpenAPI 3.0 says exclusiveness as a flag. */
const bound = (described: JsonSchema, target: Target, { minimum, maximum, inclusive }: Bounded): void => {
  const lower = minimum !== undefined
  const limit = (lower ? minimum : maximum)!
  const name = lower ? 'minimum' : 'maximum'
  const exclusive = lower ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const tighter = (old: unknown): boolean => old === undefined || (lower ? limit > Number(old) : limit < Number(old))
  if (target === 'openapi-3.0') {
    const same = described[name] === limit && !inclusive
    if (!tighter(described[name]) && !same) return
    described[name] = limit
    if (inclusive) delete described[exclusive]
    else described[exclusive] = true
    return
  }
  const key = inclusive ? name : exclusive
  if (tighter(described[key])) described[key] = limit
}

/** A pattern without flags: letters in both cases where the flag `i` said so. */
const sourceOf = ({ source, flags }: RegExp): string => (flags.includes('i') ? bothCases(source) : source)

const bothCases = (source: string): string => {
  let inClass = false
  return source.replace(/\\[pP]\{[^}]*\}|\\.|\[|\]|[a-z]-[a-z]|[A-Z]-[A-Z]|[a-zA-Z]/g, (part) => {
    if (part === '[') inClass = true
    if (part === ']') inClass = false
    if (part.startsWith('\\') || part === '[' || part === ']') return part
    const other = part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase()
    return inClass ? `${part}${other}` : part.length === 1 ? `[${part}${other}]` : part
  })
}
