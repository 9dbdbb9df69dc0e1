import { type Check, childrenOf, type Schema } from './schema.ts'

/** What is known about a schema without running it. */
export interface Insight {
  /** Why it cannot be compiled as a whole: it runs code of the user. */
  readonly opaque: string | undefined
  /** The same reason, if this schema itself runs such code, and not a schema inside it. */
  readonly ownReason: string | undefined
  /** True if it contains itself, through a getter in a shape. */
  readonly circular: boolean
}

/** Kinds that run a function of the user, or are asynchronous. */
const OPEN = new Set(['refine', 'transform', 'preprocess', 'lazy', 'promise', 'function'])

/** Kinds with known rules. Others are never compiled. */
const KNOWN = new Set(
  (
    'string number bigint date file boolean symbol null undefined void nan any unknown never literal enum stringbool ' +
    'object array tuple record map set union discriminatedUnion intersection optional nullable default catch brand ' +
    'readonly pipe'
  ).split(' '),
)

/** The checks of `sluice/z`. */
const CHECKS = new Set(
  (
    'min max length int finite multipleOf mime trim toLowerCase toUpperCase email url uuid regex includes startsWith ' +
    'endsWith date time datetime duration ip cidr jwt cuid cuid2 ulid nanoid base64 base64url emoji e164'
  ).split(' '),
)

/** Built-in changes of a string; `overwrite` runs a function of the user. */
export const CHANGES: ReadonlySet<string> = new Set(['trim', 'toLowerCase', 'toUpperCase'])

/** Below this depth, a getter is assumed to return new schemas forever. */
const MAX_DEPTH = 100

const CIRCLE: Insight = { opaque: 'contains itself', ownReason: undefined, circular: true }

/** Creates a function that inspects each schema once. */
export const createInsight = (): ((schema: Schema) => Insight) => {
  const insights = new Map<Schema, Insight>()
  const above = new Set<Schema>()

  const inspect = (schema: Schema): Insight => {
    const existing = insights.get(schema)
    if (existing) return existing
    if (above.has(schema) || above.size > MAX_DEPTH) return CIRCLE
    above.add(schema)
    const inside = childrenOf(schema).map(([, child]) => inspect(child))
    above.delete(schema)
    const circular = inside.some((child) => child.circular)
    const ownReason = reasonOf(schema)
    const opaque = ownReason ?? inside.find((child) => child.opaque)?.opaque
    const insight = circular ? { ...CIRCLE, ownReason } : { opaque, ownReason, circular }
    insights.set(schema, insight)
    return insight
  }
  return inspect
}

/** Why this schema itself runs code of the user, or has unknown rules. */
const reasonOf = ({ def }: Schema): string | undefined => {
  const { type, checks = [], value } = def
  if (OPEN.has(type)) return type
  if (!KNOWN.has(type)) return `unknown kind ${type}`
  if (/^(default|catch)$/.test(type) && typeof value === 'function') return `${type} by a function`
  const foreign = checks.find((check) => !isOurs(check))
  return foreign && `check ${foreign.kind}`
}

const isOurs = ({ kind, change }: Check): boolean => CHECKS.has(kind) && (!change || CHANGES.has(kind))
