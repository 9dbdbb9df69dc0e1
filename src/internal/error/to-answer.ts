import { report } from '#runtime/core'
import { type Answer, answerOf } from './answer.ts'

/** The response to any error: its own, or a 500 without details. The log gets the whole error. */
export const toAnswer = (error: unknown): Answer => {
  const ownAnswer = answerOf(error)
  if (!ownAnswer) report(error)
  return ownAnswer ?? { status: 500, body: { error: 'Internal Server Error' } }
}
