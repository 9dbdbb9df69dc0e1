import type { Check } from './definition.ts'
import { literally, sourceOf } from './json-schema-pattern.ts'
import type { JsonSchema, Target } from './json-schema-types.ts'

/**
 * Formats whose check is a function. They are annotations: another validator may be of another opinion at the edges.
 */
const FORMATS: { readonly [kind: string]: string | undefined } = {
  date: 'date',
  datetime: 'date-time',
  duration: 'duration',
  jwt: 'jwt',
  time: 'time',
  url: 'uri',
}

/** The formats of a check: `ip` and `cidr` mean either version when none is named. */
const formatsOf = ({ kind, value }: Check): readonly string[] => {
  if (kind === 'ip' || kind === 'cidr') return (value ? [value] : ['v4', 'v6']).map((version) => `${kind}${version}`)
  // Without seconds it is not what JSON Schema calls `date-time`.
  return FORMATS[kind] && value !== -1 ? [FORMATS[kind]] : []
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
  const more: JsonSchema[] = []
  for (const check of checks) {
    const { kind, value, issue } = check
    const formats = formatsOf(check)
    const { minimum, maximum, inclusive } = (issue ?? {}) as Bounded
    const type = (issue as { type?: string } | undefined)?.type
    if (type === 'number') bound(described, target, { minimum, maximum, inclusive } as Bounded)
    else if (minimum !== undefined) described[`min${noun}`] = Math.max(minimum, Number(described[`min${noun}`] ?? 0))
    else if (maximum !== undefined)
      described[`max${noun}`] = Math.min(maximum, Number(described[`max${noun}`] ?? maximum))
    else if (kind === 'multipleOf' && described.multipleOf !== undefined) more.push({ multipleOf: value })
    else if (kind === 'multipleOf') described.multipleOf = value
    else if (value instanceof RegExp) patterns.push(...sourceOf(value))
    else if (formats.length > 1) more.push({ anyOf: formats.map((format) => ({ format })) })
    else if (formats[0] && described.format) more.push({ format: formats[0] })
    else if (formats[0]) described.format = formats[0]
    else patterns.push(...affix(issue))
  }
  if (patterns.length === 1) described.pattern = patterns[0]
  else more.push(...patterns.map((pattern) => ({ pattern })))
  if (more.length) described.allOf = more
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

/** A pattern of words in any case. */
export const wordsPattern = (words: readonly string[]): string =>
  sourceOf(new RegExp(`^(?:${words.map(literally).join('|')})$`, 'i'))[0]!
