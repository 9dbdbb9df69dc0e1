import type { IssueData, PushedIssue, RefinementContext } from './issue.ts'
import { isThenable } from './report.ts'

/** The argument of a function that is passed to `check`: the value, and the issues to add to. */
export interface Payload<T = unknown> {
  readonly value: T
  readonly issues: PushedIssue[]
}

/** A function for zod 4's `check`, as `superRefine` takes it. @throws {TypeError} if it is not a function */
export const fromPayload = (check: unknown): ((value: unknown, context: RefinementContext) => unknown) => {
  if (typeof check !== 'function') throw new TypeError(`z: check: expected a function, got ${typeof check}`)
  return (value, context) => {
    const issues: PushedIssue[] = []
    const add = (): void => {
      for (const { input: _, continue: continues, ...issue } of issues)
        context.addIssue({ ...issue, ...(continues === false && { fatal: true }) } as IssueData)
    }
    const done: unknown = check({ value, issues })
    return isThenable(done) ? done.then(add) : add()
  }
}
