import type { Issue } from '../../errors/validation-error.ts'
import type { AnyCore, Call, DefinitionParts, RunOf } from './definition.ts'
import { countIssues, MANY_VISITS, MAX_NESTED, reportEndless, shortenUnions } from './nested.ts'
import { copyIssue, INVALID, isThenable, MAX_ISSUES, report } from './report.ts'

interface Outcome {
  // any: the output of any schema
  readonly out: any
  readonly issues: Issue[]
  /** The lengths of the paths of its issues when they were first returned. */
  lengths?: readonly number[]
}

/** A recursive schema that is parsing a value, and the visits that it waits for. */
interface Visit {
  readonly waits: Set<Visit>
  outcome?: Promise<Outcome>
}

/** The recursive schemas around a value, the nearest first. With it, a cycle or a deep value ends with an issue. */
interface Trail {
  readonly schema: AnyCore
  readonly value: unknown
  readonly depth: number
  readonly above: Trail | undefined
  readonly parse: Parse
  readonly visit: Visit | undefined
}

/** The counters of one parse. In a long parse, `results` has the visit for each value and recursive schema. */
interface Parse {
  started: number
  visits: number
  copies: number
  readonly results: Map<unknown, Map<AnyCore, Visit>>
}

/** Stands for a result that is still pending. Thrown to stop a run that cannot go on without it. */
const WAIT: unique symbol = /* @__PURE__ */ Symbol('wait')

/** Kinds whose children parse different values, so that all start at once. In others, each waits for the one before. */
const PARALLEL = /^(?:array|map|object|record|set|tuple)$/

export const runAsync = (schema: AnyCore, value: unknown, above?: Trail): Outcome | Promise<Outcome> => {
  const { type, inner } = schema.def as DefinitionParts
  // A value instead of a promise is parsed at once, so that a schema which contains itself finds its trail
  if (type === 'promise' && !isThenable(value))
    return Promise.resolve(runAsync(inner!, value, above)).then((outcome) => ({
      out: outcome.out === INVALID ? INVALID : Promise.resolve(outcome.out),
      issues: issuesOf(outcome),
    }))
  const isRepeat = type === 'lazy' || (type === 'object' && isOn(above, schema))
  const depth = (above?.depth ?? 0) + Number(isRepeat)
  const parse = above?.parse ?? { started: 0, visits: 0, copies: 0, results: new Map() }
  const by = above?.visit
  if (!isRepeat)
    return replay(schema, value, type === 'object' ? { schema, value, depth, above, parse, visit: by } : above)
  // As in a synchronous parse: a string or number counts as visited once the parse is long
  const keyed = typeof value === 'object' || parse.visits > MANY_VISITS
  const previous = parse.results.get(value)?.get(schema)
  if (depth > MAX_NESTED || (keyed && isOn(above, schema, value)) || (previous && isWaiting(previous, by))) {
    const issues: Issue[] = []
    return { out: reportEndless(issues, value), issues }
  }
  if (previous) return waitFor(previous, by).then((outcome) => limitRepeats(outcome, value, parse))
  const visit: Visit = { waits: new Set() }
  if (++parse.started > MANY_VISITS && typeof value === 'object' && value) {
    parse.results.set(value, (parse.results.get(value) ?? new Map()).set(schema, visit))
  }
  // A new turn for each recursive schema, so that deep input does not fill the stack
  visit.outcome = Promise.resolve()
    .then(() => replay(schema, value, { schema, value, depth, above, parse, visit }))
    .then((outcome) => {
      if (++parse.visits > MANY_VISITS) shortenUnions(outcome.issues)
      return outcome
    })
  return waitFor(visit, by)
}

/** Whether a schema is on the trail; with a value, only for that value. */
const isOn = (trail: Trail | undefined, schema: AnyCore, ...value: [] | [unknown]): boolean => {
  for (let at = trail; at; at = at.above)
    if (at.schema === schema && (!value.length || at.value === value[0])) return true
  return false
}

/** Whether `visit` is `other` or waits for it, perhaps indirectly. If `other` waited too, both would wait for ever. */
const isWaiting = (visit: Visit, other: Visit | undefined): boolean => {
  const all = new Set<Visit | undefined>([visit])
  for (const visited of all) for (const next of visited!.waits) all.add(next)
  return all.has(other)
}

const waitFor = async (visit: Visit, by: Visit | undefined): Promise<Outcome> => {
  by?.waits.add(visit)
  const outcome = await visit.outcome!
  by?.waits.delete(visit)
  return outcome
}

/** As in a synchronous parse, one issue replaces the issues that were repeated too often. */
const limitRepeats = (outcome: Outcome, value: unknown, parse: Parse): Outcome => {
  parse.copies += countIssues(outcome.issues)
  if (!outcome.issues.length || parse.copies <= MAX_ISSUES) return outcome
  const issues: Issue[] = []
  return { out: report(issues, value, { code: 'custom' }, 'Invalid input'), issues }
}

/**
 * Use the synchronous run of a schema with children or user code that may be asynchronous.
 *
 * 1. The run calls its children and user code through stand-ins, which record each result in order.
 * 2. At a result that is a promise, the run stops, or continues with its other children if they are independent.
 * 3. When all promises have resolved, the run starts again, and the stand-ins replay the recorded results.
 * 4. This repeats until no result is missing. So each child and each user function runs once.
 */
const replay = (schema: AnyCore, value: unknown, trail: Trail | undefined): Outcome | Promise<Outcome> => {
  const results: unknown[] = []
  const pending = new Set<Promise<void>>()
  let position = 0

  /** The next recorded result; the first time, that of the function. */
  const resultOf = <T>(fn: () => T | Promise<T>): T | typeof WAIT => {
    const index = position++
    if (index === results.length) {
      const result = fn()
      results[index] = result
      if (isThenable(result)) {
        results[index] = WAIT
        const work: Promise<void> = Promise.resolve(result).then((resolved) => {
          results[index] = resolved
          pending.delete(work)
        })
        pending.add(work)
      }
    }
    return results[index] as never
  }

  const use: RunOf = (child) => (input, issues) => {
    const outcome = resultOf(() => runAsync(child, input, trail))
    if (outcome !== WAIT) {
      for (const issue of issuesOf(outcome)) issues.push(issue)
      return outcome.out as never
    }
    if (!PARALLEL.test(schema.def.type)) throw WAIT
    return INVALID
  }

  const call: Call = (fn) =>
    ((input: unknown, context?: { issues: unknown }) => {
      const outcome = resultOf(() => {
        const withIssues = (out: unknown): { out: unknown; issues: unknown } => ({ out, issues: context?.issues })
        const result = (fn as (...args: unknown[]) => unknown)(input, context)
        return isThenable(result) ? Promise.resolve(result).then(withIssues) : withIssues(result)
      })
      if (outcome === WAIT) throw WAIT
      if (context) context.issues = outcome.issues
      return outcome.out
    }) as never

  const run = schema.make(schema.def, use, call)

  const runOnce = (): Outcome | undefined => {
    position = 0
    const issues: Issue[] = []
    try {
      const out = run(value, issues)
      return pending.size ? undefined : { out, issues }
    } catch (error) {
      if (error === WAIT) return undefined
      // A promise that is still pending must not cause an unhandled rejection
      Promise.all(pending).catch(() => undefined)
      throw error
    }
  }

  const repeat = async (): Promise<Outcome> => {
    for (;;) {
      await Promise.all(pending)
      const outcome = runOnce()
      if (outcome) return outcome
    }
  }

  return runOnce() ?? repeat()
}

/** The issues of an outcome, copied after the first time, because the receiver puts keys in front of their paths. */
const issuesOf = (outcome: Outcome): Issue[] => {
  const { issues, lengths } = outcome
  if (lengths) return issues.map((issue, index) => copyIssue(issue, issue.path.length - lengths[index]!))
  outcome.lengths = issues.map(({ path }) => path.length)
  return issues
}
