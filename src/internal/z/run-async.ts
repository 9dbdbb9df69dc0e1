import type { Issue } from '../schema/validation-error.ts'
import type { AnyCore, Call, Definition, Run, Use } from './definition.ts'
import { count, MANY_VISITS, MAX_NESTED, reportEndless, shortenUnions } from './nested.ts'
import { copyIssue, INVALID, isThenable, MAX_ISSUES, report } from './report.ts'
import { isWaiting, type Outcome, type Visit, waitFor } from './visit.ts'

/**
 * The schemas from the outermost one to the current value that may contain themselves. With it, a cycle or a deep value
 * ends with an issue.
 */
interface Trail {
  readonly schema: AnyCore
  readonly value: unknown
  readonly depth: number
  readonly above: Trail | undefined
  readonly parse: Parse
  readonly visit: Visit | undefined
}

/**
 * The counters of one parse: runs of recursive schemas that began and that ended, and issues that were repeated. When
 * there are many runs, `found` keeps the result for each value and schema.
 */
interface Parse {
  asked: number
  visits: number
  copies: number
  readonly found: Map<unknown, Map<AnyCore, Visit>>
}

/** Stands for an answer that is still pending. Thrown to stop a run that cannot go on without the answer. */
const WAIT: unique symbol = /* @__PURE__ */ Symbol('wait')

/** Kinds whose children have a value each: all of these start together. Children of other kinds run one by one. */
const PARALLEL = /^(?:array|map|object|record|set|tuple)$/

/**
 * Run the synchronous run of a schema, though its children or user code may be asynchronous.
 *
 * 1. The run asks its children and user code through stand-ins, which record each answer in order.
 * 2. At an answer that is a promise, the run stops, or continues with its other children if they are independent.
 * 3. When all promises have resolved, the run starts again, and the stand-ins replay the recorded answers.
 * 4. This repeats until no answer is missing. So each child and each user function runs once.
 */
export const runAsync = (schema: AnyCore, value: unknown, above?: Trail): Outcome | Promise<Outcome> => {
  const { type, inner } = schema.def as Definition & { readonly inner: AnyCore }
  // A value instead of a promise is parsed at once, so that a schema which contains itself finds its trail.
  if (type === 'promise' && !isThenable(value))
    return Promise.resolve(runAsync(inner, value, above)).then(toPromiseOutcome)
  const isRepeat = type === 'lazy' || (type === 'object' && isOn(above, schema))
  const depth = (above?.depth ?? 0) + Number(isRepeat)
  const parse = above?.parse ?? { asked: 0, visits: 0, copies: 0, found: new Map() }
  const by = above?.visit
  if (!isRepeat)
    return ask(schema, value, type === 'object' ? { schema, value, depth, above, parse, visit: by } : above)
  // As in a synchronous parse: a string or number counts as visited once the parse is long.
  const keyed = typeof value === 'object' || parse.visits > MANY_VISITS
  const previous = parse.found.get(value)?.get(schema)
  if (depth > MAX_NESTED || (keyed && isOn(above, schema, value)) || (previous && isWaiting(previous, by))) {
    const issues: Issue[] = []
    return { out: reportEndless(issues, value), issues }
  }
  if (previous) return waitFor(previous, by).then((outcome) => limitRepeats(outcome, value, parse))
  const visit: Visit = { waits: new Set() }
  if (++parse.asked > MANY_VISITS && typeof value === 'object' && value) {
    parse.found.set(value, (parse.found.get(value) ?? new Map()).set(schema, visit))
  }
  // A new turn for each recursive schema, so that deep input does not fill the stack.
  visit.outcome = Promise.resolve()
    .then(() => ask(schema, value, { schema, value, depth, above, parse, visit }))
    .then((outcome) => {
      if (++parse.visits > MANY_VISITS) shortenUnions(outcome.issues)
      return outcome
    })
  return waitFor(visit, by)
}

/** As in a synchronous parse, one issue replaces the issues that were repeated too often. */
const limitRepeats = (outcome: Outcome, value: unknown, parse: Parse): Outcome => {
  parse.copies += count(outcome.issues)
  if (!outcome.issues.length || parse.copies <= MAX_ISSUES) return outcome
  const issues: Issue[] = []
  return { out: report(issues, value, { code: 'custom' }, 'Invalid input'), issues }
}

/** The outcome of a schema of promises for a value that is not a promise. */
const toPromiseOutcome = (outcome: Outcome): Outcome => {
  const { out } = outcome
  return { out: out === INVALID ? out : Promise.resolve(out), issues: [...issuesOf(outcome)] }
}

const ask = (schema: AnyCore, value: unknown, trail: Trail | undefined): Outcome | Promise<Outcome> => {
  const { ask, restart, isWaiting, wait } = createAnswers()
  const parallel = PARALLEL.test(schema.def.type)

  const use: Use = (child) => (input, issues) => {
    const outcome = ask(() => runAsync(child, input, trail))
    if (outcome !== WAIT) {
      for (const issue of issuesOf(outcome)) issues.push(issue)
      return outcome.out as never
    }
    if (!parallel) throw WAIT
    return INVALID
  }

  const run: Run = schema.make(schema.def, use, rememberCall(ask))

  const runOnce = (): Outcome | undefined => {
    restart()
    const issues: Issue[] = []
    try {
      const out = run(value, issues)
      return isWaiting() ? undefined : { out, issues }
    } catch (error) {
      if (error === WAIT) return undefined
      // A promise that is still pending must not cause an unhandled rejection.
      wait().catch(() => undefined)
      throw error
    }
  }

  const repeat = async (): Promise<Outcome> => {
    for (;;) {
      await wait()
      const outcome = runOnce()
      if (outcome) return outcome
    }
  }

  return runOnce() ?? repeat()
}

/** The issues of an outcome, copied after the first time, because the receiver puts keys in front of their paths. */
const issuesOf = (outcome: Outcome): readonly Issue[] => {
  const { issues, lengths } = outcome
  if (lengths) return issues.map((issue, index) => copyIssue(issue, issue.path.length - lengths[index]!))
  outcome.lengths = issues.map(({ path }) => path.length)
  return issues
}

type AskOnce = <T>(question: () => T | Promise<T>) => T | typeof WAIT

/** Records answers in the order of the questions, and calls each question once. */
const createAnswers = (): {
  ask: AskOnce
  restart: () => void
  isWaiting: () => boolean
  wait: () => Promise<unknown>
} => {
  const answers: unknown[] = []
  const pending = new Set<Promise<void>>()
  let questionCount = 0

  const recordAnswer = (index: number, question: () => unknown): void => {
    const reply = question()
    answers[index] = reply
    if (!isThenable(reply)) return
    answers[index] = WAIT
    const work: Promise<void> = Promise.resolve(reply).then((resolved) => {
      answers[index] = resolved
      pending.delete(work)
    })
    pending.add(work)
  }

  return {
    ask: (question) => {
      const index = questionCount++
      if (index === answers.length) recordAnswer(index, question)
      return answers[index] as never
    },
    restart: () => {
      questionCount = 0
    },
    isWaiting: () => pending.size > 0,
    wait: () => Promise.all(pending),
  }
}

/** Call user code once, and replay its answer and the issues that it added in later runs. */
const rememberCall =
  (ask: AskOnce): Call =>
  (fn) =>
    ((input: unknown, context?: { issues: unknown }) => {
      const outcome = ask(() => {
        const withIssues = (out: unknown): { out: unknown; issues: unknown } => ({ out, issues: context?.issues })
        const result = (fn as (...args: unknown[]) => unknown)(input, context)
        return isThenable(result) ? Promise.resolve(result).then(withIssues) : withIssues(result)
      })
      if (outcome === WAIT) throw WAIT
      if (context) context.issues = outcome.issues
      return outcome.out
    }) as never

const isOn = (trail: Trail | undefined, schema: AnyCore, ...value: [] | [unknown]): boolean => {
  for (let at = trail; at; at = at.above) {
    if (at.schema === schema && (!value.length || at.value === value[0])) return true
  }
  return false
}
