import { type Check, childrenOf, type Schema } from './schema.ts'

/** What can be known of a schema without running it. */
export interface Insight {
  /** Why it cannot be compiled as a whole: it runs code that is not ours. */
  readonly opaque: string | undefined
  /** The same, if it is this schema itself that does so, and not one inside. */
  readonly own: string | undefined
  /** Does it hold itself, by a getter in a shape. */
  readonly circular: boolean
}

/** Kinds that run a function of the user, or wait. */
const OPEN = new Set(['refine', 'transform', 'preprocess', 'lazy', 'promise', 'function'])

/** Kinds whose rule is known; others may be anything. */
const KNOWN = new Set(
  (
    'string number bigint date file boolean symbol null undefined void nan any unknown never literal enum stringbool ' +
    'object array tuple record map set union discriminatedUnion intersection optional nullable default catch brand ' +
    'readonly pipe'
  ).split(' '),
)

/** Checks that `sluice/z` makes. */
const CHECKS = new Set(
  (
    'min max length int finite multipleOf mime trim toLowerCase toUpperCase email url uuid regex includes startsWith ' +
    'endsWith date time datetime duration ip cidr jwt cuid cuid2 ulid nanoid base64 base64url emoji e164'
  ).split(' '),
)

/** Changes of a string that are ours; `overwrite` is the user's. */
export const CHANGES: ReadonlySet<string> = new Set(['trim', 'toLowerCase', 'toUpperCase'])

/** Deeper than this a getter makes new schemas for ever. */
const MOST_DEEP = 100

const CIRCLE: Insight = { opaque: 'holds itself', own: undefined, circular: true }

/** Asks once about each schema. */
export const createInsight = (): ((schema: Schema) => Insight) => {
  const known = new Map<Schema, Insight>()
  const above = new Set<Schema>()

  const look = (schema: Schema): Insight => {
    const found = known.get(schema)
    if (found) return found
    if (above.has(schema) || above.size > MOST_DEEP) return CIRCLE
    above.add(schema)
    const inside = childrenOf(schema).map(([, child]) => look(child))
    above.delete(schema)
    const circular = inside.some((child) => child.circular)
    const own = ownReason(schema)
    const opaque = own ?? inside.find((child) => child.opaque)?.opaque
    const insight = circular ? { ...CIRCLE, own } : { opaque, own, circular }
    known.set(schema, insight)
    return insight
  }
  return look
}

/** Why the rule of this schema itself is not ours alone. */
const ownReason = ({ def }: Schema): string | undefined => {
  const { type, checks = [], value, runs } = def
  if (runs) return `rules of ${runs}`
  if (OPEN.has(type)) return type
  if (!KNOWN.has(type)) return `unknown kind ${type}`
  if (/^(default|catch)$/.test(type) && typeof value === 'function') return `${type} by a function`
  const foreign = checks.find((check) => !isOurs(check))
  return foreign && `check ${foreign.kind}`
}

const isOurs = ({ kind, change }: Check): boolean => CHECKS.has(kind) && (!change || CHANGES.has(kind))
