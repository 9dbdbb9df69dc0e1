import type { Issue } from '../internal/validation-error.ts'
import type { Call, Use } from './definition.ts'
import type { RefinementContext } from './issue.ts'
import { endless, MOST_NESTED } from './lazy.ts'
import { INVALID, type Run } from './run.ts'
import type { AnySchema } from './schema.ts'

/** What a schema made of a value. */
export interface Outcome {
  // any: whatever the schema gives.
  readonly out: any
  readonly issues: Issue[]
}

/** The lazy schemas on the way to a value, so that neither a cycle nor great depth runs for ever. */
interface Trail {
  readonly schema: AnySchema
  readonly value: unknown
  readonly depth: number
  readonly above: Trail | undefined
}

/** Stands for an answer that is not there yet; thrown out of a rule that cannot go on without it. */
const WAIT: unique symbol = /* @__PURE__ */ Symbol('wait')

/** Kinds that ask their children independently of each other: all are started in one go. Others ask one after the other. */
const PARALLEL = /^(?:array|discriminatedUnion|intersection|map|object|record|set|tuple|union)$/

/**
 * Run a schema's own rule, with stand-ins for its children and for user code that remember what was answered, by the order of the questions.
 *
 * A rule is repeated until no answer is missing; what is slow or has effects happens once. So the asynchronous parse has no rules of its own.
 */
export const runAsync = (schema: AnySchema, value: unknown, above?: Trail): Outcome | Promise<Outcome> => {
  const trail = schema.def.type === 'lazy' ? { schema, value, depth: (above?.depth ?? 0) + 1, above } : above
  if (trail !== above && isEndless(trail!)) {
    const issues: Issue[] = []
    return { out: endless(issues, value), issues }
  }
  const { ask, restart, isWaiting, wait } = createAnswers()
  const parallel = PARALLEL.test(schema.def.type)

  const use: Use = (child) => (input, issues) => {
    const outcome = ask(() => runAsync(child, input, trail))
    if (outcome !== WAIT) {
      for (const issue of outcome.issues) issues.push(copy(issue))
      return outcome.out as never
    }
    if (!parallel) throw WAIT
    return INVALID
  }

  const run: Run = schema.make(schema.def, use, remember(ask))

  const attempt = (): Outcome | undefined => {
    restart()
    const issues: Issue[] = []
    try {
      const out = run(value, issues)
      return isWaiting() ? undefined : { out, issues }
    } catch (error) {
      if (error === WAIT) return undefined
      // What is still running must not reject unheard.
      wait().catch(() => undefined)
      throw error
    }
  }

  const repeat = async (): Promise<Outcome> => {
    for (;;) {
      await wait()
      const outcome = attempt()
      if (outcome) return outcome
    }
  }

  // A new turn for each lazy schema, so that deep input does not fill the stack.
  return trail === above ? (attempt() ?? repeat()) : Promise.resolve().then(repeat)
}

type Ask = <T>(question: () => T | Promise<T>) => T | typeof WAIT

/** Answers in the order of the questions; each question is put once. */
const createAnswers = (): {
  ask: Ask
  restart: () => void
  isWaiting: () => boolean
  wait: () => Promise<unknown>
} => {
  const answers: unknown[] = []
  const pending = new Set<Promise<void>>()
  let asked = 0

  const put = (index: number, question: () => unknown): void => {
    const given = question()
    answers[index] = given
    if (!(given instanceof Promise)) return
    answers[index] = WAIT
    const settled: Promise<void> = given.then((late) => {
      answers[index] = late
      pending.delete(settled)
    })
    pending.add(settled)
  }

  return {
    ask: (question) => {
      const index = asked++
      if (index === answers.length) put(index, question)
      return answers[index] as never
    },
    restart: () => {
      asked = 0
    },
    isWaiting: () => pending.size > 0,
    wait: () => Promise.all(pending),
  }
}

/** User code that is called once; later its answer comes back, with the issues that it added. */
const remember =
  (ask: Ask): Call =>
  (fn) =>
    ((input: unknown, context?: RefinementContext & { added: unknown }) => {
      const answer = ask(() => {
        const keep = (out: unknown): { out: unknown; added: unknown } => ({ out, added: context?.added })
        const given = (fn as (...args: unknown[]) => unknown)(input, context)
        return given instanceof Promise ? given.then(keep) : keep(given)
      })
      if (answer === WAIT) throw WAIT
      if (context) context.added = answer.added
      return answer.out
    }) as never

/** An issue that the next attempt may put under another key again. */
const copy = (issue: Issue): Issue => {
  const copied = { ...issue, path: [...issue.path] }
  if ('unionErrors' in copied)
    copied.unionErrors = copied.unionErrors.map((list) => (list as never as Issue[]).map(copy) as never)
  return copied
}

const isEndless = ({ schema, value, depth, above }: Trail): boolean => {
  if (depth > MOST_NESTED) return true
  if (typeof value !== 'object' || value === null) return false
  for (let trail = above; trail; trail = trail.above) if (trail.schema === schema && trail.value === value) return true
  return false
}
