import type { FieldList } from '../context.ts'

/** How an error is answered. */
export interface Answer {
  readonly status: number
  /** Sent as JSON. */
  readonly body: object
  /** Further fields, lower-case names. */
  readonly headers?: FieldList | undefined
}

/** Key under which an error keeps its answer; a registered symbol, since no JSON can hold one and copies of this package share it. */
export const ANSWER: unique symbol = /* @__PURE__ */ Symbol.for('sluice.answer')

/** The answer that an error brings, if it does. */
export const answerOf = (error: unknown): Answer | undefined => (error as { [ANSWER]?: Answer } | undefined)?.[ANSWER]

/** An error of the client's making: answered with `{ error, ...more }`. */
export const refusal = (status: number, error: string, more?: object, of: Error = new Error(error)): Error => {
  const answer: Answer = { status, body: { error, ...more } }
  return Object.assign(of, { [ANSWER]: answer })
}
